package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.TypeReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables of a method refer to the same instructions after these have moved, in cases that the
 * libraries' classes do not have.
 */
class MovedTablesTest {
    private static final int SYNCHRONIZED = Opcodes.ACC_SYNCHRONIZED;

    /** A frame encodes its distance from the previous one in six bits, or else in two bytes. */
    private static final int SIX_BITS = 1 << 6;

    @Test
    void framesLieAsFarApartAsTheyLay() {
        for (int bytes = 4; bytes <= SIX_BITS + 1; bytes++) {
            AssembledClass made = twoFrames(bytes);
            assertThat(UntouchedCodeTest.compare(made.classFile())).isTrue();
            assertThat(made.wrapped()).as("verified, %d bytes apart", bytes).isNotNull();
            assertThat(AssembledClass.instructions(made.wrappedFile(), Opcodes.INVOKESTATIC))
                    .as("of the modifier and of the block, %d bytes apart", bytes)
                    .isEqualTo(4);
        }
    }

    /**
     * The verifier falls back to the one of old class files where a frame is missing in one of Java
     * 6, which takes longer.
     */
    @ParameterizedTest
    @ValueSource(ints = {Opcodes.V1_5, Opcodes.V1_6, Opcodes.V1_7})
    void theHandlerThatReleasesHasAFrameSinceJava6(int version) {
        AssembledClass made =
                AssembledClass.of(
                        version,
                        0,
                        List.of(),
                        writer ->
                                AssembledClass.method(
                                        writer,
                                        SYNCHRONIZED,
                                        "run",
                                        "()V",
                                        code -> code.visitInsn(Opcodes.RETURN)));
        ParsedClass wrapped = new ParsedClass(made.wrappedFile());
        MethodCode code = new MethodCode(wrapped, wrapped.codeOf(wrapped.methodCount() - 1));

        assertThat(code.handlerCount()).isPositive();
        assertThat(wrapped.attribute(code.attributes, StackMap.NAME) >= 0)
                .isEqualTo(version >= Opcodes.V1_6);
    }

    @Test
    void anAnnotationOfAVariableFollowsEachOfItsRanges() {
        AssembledClass made =
                AssembledClass.of(
                        writer ->
                                AssembledClass.method(
                                        writer,
                                        SYNCHRONIZED,
                                        "run",
                                        "()V",
                                        code -> {
                                            Label[] places = new Label[6];
                                            for (int i = 0; i < places.length; i++) {
                                                places[i] = new Label();
                                                code.visitLabel(places[i]);
                                                code.visitInsn(Opcodes.NOP);
                                            }
                                            code.visitInsn(Opcodes.RETURN);
                                            annotated(
                                                    code,
                                                    "LOne;",
                                                    List.of(places[0], places[2]),
                                                    List.of(places[1], places[4]));
                                            annotated(
                                                    code,
                                                    "LOther;",
                                                    List.of(places[1], places[3], places[4]),
                                                    List.of(places[2], places[4], places[5]));
                                        }));
        assertThat(UntouchedCodeTest.compare(made.classFile())).isTrue();
    }

    private static void annotated(
            MethodVisitor code, String annotation, List<Label> from, List<Label> to) {
        code.visitLocalVariableAnnotation(
                        TypeReference.newTypeReference(TypeReference.LOCAL_VARIABLE).getValue(),
                        null,
                        from.toArray(new Label[0]),
                        to.toArray(new Label[0]),
                        new int[from.size()],
                        annotation,
                        true)
                .visitEnd();
    }

    /**
     * Returns a {@code synchronized} method with a frame {@code bytes} from its beginning, another
     * one as far from the first, and then a block.
     */
    private static AssembledClass twoFrames(int bytes) {
        return AssembledClass.of(
                writer ->
                        AssembledClass.method(
                                writer,
                                SYNCHRONIZED,
                                "run",
                                "()V",
                                code -> {
                                    Label one = new Label();
                                    Label other = new Label();
                                    code.visitInsn(Opcodes.ICONST_0);
                                    code.visitJumpInsn(
                                            Opcodes.IFEQ, one); // with the constant, four bytes
                                    nothing(code, bytes - 4);
                                    code.visitLabel(one);
                                    code.visitInsn(Opcodes.ICONST_0);
                                    code.visitJumpInsn(Opcodes.IFEQ, other);
                                    nothing(code, bytes - 4);
                                    code.visitLabel(other);
                                    AssembledClass.block(code);
                                    code.visitInsn(Opcodes.RETURN);
                                }));
    }

    private static void nothing(MethodVisitor code, int bytes) {
        for (int i = 0; i < bytes; i++) {
            code.visitInsn(Opcodes.NOP);
        }
    }
}
