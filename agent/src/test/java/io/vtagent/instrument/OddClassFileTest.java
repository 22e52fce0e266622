package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.instrument.WrappedClasses.Change;
import java.io.ObjectStreamClass;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Class files that an attack on the splicing found: no compiler writes them, and each was once
 * treated wrongly.
 */
class OddClassFileTest {
    private static final int KEY = 0x51515151;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uD800",
                "\uDC00x",
                "a\u0000b",
                "\u0000b",
                "\u0080",
                "\uD83D\uDE00",
                "\u00E9",
                "\uFFFD",
                "\u0800"
            })
    void theSerialVersionUidStaysWhateverCharactersANameHas(String name) {
        AssembledClass made =
                AssembledClass.of(
                        Opcodes.V1_8,
                        0,
                        List.of("java/io/Serializable"),
                        writer -> synchronizedMethod(writer, name, 0));
        Class<?> wrapped = made.wrapped();
        assertThat(made.classes().transformed).hasValue(1);
        assertThat(ObjectStreamClass.lookup(wrapped).getSerialVersionUID())
                .isEqualTo(ObjectStreamClass.lookup(made.plain()).getSerialVersionUID());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01000000, 0x08000000, 0x0F000000})
    void aSwitchThatClaimsMoreCasesThanThereIsCodeIsRefusedBeforeThereIsMemoryForThem(int cases) {
        byte[] classFile = withSwitch(0);
        int at = indexOf(KEY, classFile) - Integer.BYTES;
        for (int i = 0; i < Integer.BYTES; i++) {
            classFile[at + i] = (byte) (cases >> (8 * (3 - i)));
        }
        assertThatThrownBy(() -> ClassWrapper.atLoad(classFile))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSwitchIsRefusedThatClaimsOneCaseMoreThanThereIsCode() {
        byte[] classFile = withSwitch(20);
        int at = indexOf(KEY, classFile) - 1;
        assertThat(classFile[at]).as("the number of cases").isEqualTo((byte) 1);
        classFile[at] = 2;
        assertThatThrownBy(() -> ClassWrapper.atLoad(classFile))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The method may get too long to be compiled: the JVM takes no other version. */
    @ParameterizedTest
    @ValueSource(ints = {7_000, 7_990, 7_995, 7_999, 8_000, 8_001})
    void aNewVersionOfAMethodLosesTheModifierHoweverLongItIs(int bytes) {
        byte[] classFile =
                AssembledClass.classFile(
                        Opcodes.V1_8,
                        0,
                        List.of(),
                        writer -> synchronizedMethod(writer, "run", bytes - 1));
        byte[] again =
                Objects.requireNonNull(
                        ClassWrapper.again(classFile, new Change(Set.of("run()V"), null)));
        assertThat(AssembledClass.access(again, "run") & Opcodes.ACC_SYNCHRONIZED).isZero();
    }

    @Test
    void aFrameThatTakesThisForAnObjectOfAnotherClassKeepsTheModifier() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(
                Opcodes.V1_8,
                Opcodes.ACC_PUBLIC,
                AssembledClass.NAME,
                null,
                "java/lang/Object",
                null);
        MethodVisitor code =
                writer.visitMethod(
                        Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED, "run", "()V", null, null);
        Label target = new Label();
        code.visitCode();
        code.visitInsn(Opcodes.ICONST_0);
        code.visitJumpInsn(Opcodes.IFEQ, target);
        code.visitLabel(target);
        code.visitFrame(Opcodes.F_FULL, 1, new Object[] {"java/lang/Object"}, 0, new Object[0]);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 1);
        byte[] classFile = writer.toByteArray();
        assertThat(new AssembledClass.Loader().define(classFile)).isNotNull();
        assertThat(ClassWrapper.atLoad(classFile)).isNull();
    }

    private static void synchronizedMethod(ClassWriter writer, String name, int nops) {
        AssembledClass.method(
                writer,
                Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED,
                name,
                "()V",
                code -> {
                    nothing(code, nops);
                    code.visitInsn(Opcodes.RETURN);
                });
    }

    private static void nothing(MethodVisitor code, int nops) {
        for (int i = 0; i < nops; i++) {
            code.visitInsn(Opcodes.NOP);
        }
    }

    /** Returns a method with a switch behind that many no-op instructions. */
    private static byte[] withSwitch(int nops) {
        return AssembledClass.classFile(
                Opcodes.V1_5,
                0,
                List.of(),
                writer ->
                        AssembledClass.method(
                                writer,
                                Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED,
                                "run",
                                "()V",
                                code -> {
                                    Label end = new Label();
                                    nothing(code, nops);
                                    code.visitInsn(Opcodes.ICONST_0);
                                    code.visitLookupSwitchInsn(
                                            end, new int[] {KEY}, new Label[] {end});
                                    code.visitLabel(end);
                                    code.visitInsn(Opcodes.RETURN);
                                }));
    }

    private static int indexOf(int number, byte[] in) {
        for (int at = 0; ; at++) {
            if (ByteBuffer.wrap(in).getInt(at) == number) {
                return at;
            }
        }
    }
}
