package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A method is {@code synchronized} no more wherever a block can stand for that, and has its monitor
 * all the same.
 */
class LostModifiersTest {
    private static final int STATIC = Opcodes.ACC_STATIC;
    private static final int SYNCHRONIZED = Opcodes.ACC_SYNCHRONIZED;
    private static final int PUBLIC = Opcodes.ACC_PUBLIC;

    @ParameterizedTest
    @ValueSource(ints = {Opcodes.V1_4, Opcodes.V1_5, Opcodes.V1_6, Opcodes.V1_8})
    void aStaticMethodSinceClassFilesKnowHowToLoadAClass(int version) {
        AssembledClass made =
                AssembledClass.of(
                        version,
                        0,
                        List.of(),
                        writer ->
                                run(
                                        writer,
                                        STATIC,
                                        code -> {
                                            code.visitInsn(Opcodes.ICONST_1);
                                            code.visitInsn(Opcodes.IRETURN);
                                        }));
        assertThat(losesModifier(made)).isEqualTo(version >= Opcodes.V1_5);
        assertThat(made.wrapped()).as("verified").isNotNull();
    }

    @Test
    void aStaticMethodHoweverManyConstantsComeBeforeItsClass() throws ReflectiveOperationException {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        for (int i = 0; i < 1_000; i++) {
            writer.newConst(i);
        }
        writer.visit(Opcodes.V21, PUBLIC, AssembledClass.NAME, null, "java/lang/Object", null);
        run(
                writer,
                STATIC,
                code ->
                        holds(
                                code,
                                mine ->
                                        mine.visitLdcInsn(
                                                Type.getObjectType(AssembledClass.NAME))));
        AssembledClass made = AssembledClass.of(writer.toByteArray());

        assertThat(losesModifier(made)).isTrue();
        assertThat(made.wrapped().getMethod("run").invoke(null)).isEqualTo(true);
    }

    @Test
    void theFirstMethodOfAClass() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        writer.visit(Opcodes.V21, PUBLIC, AssembledClass.NAME, null, "java/lang/Object", null);
        run(writer, 0, code -> holds(code, mine -> mine.visitVarInsn(Opcodes.ALOAD, 0)));

        assertThat(losesModifier(AssembledClass.of(writer.toByteArray()))).isTrue();
    }

    @Test
    void oneWithTheSubroutineOfAnOldCompilerUnlessThereIsABlockToo()
            throws ReflectiveOperationException {
        AssembledClass without =
                AssembledClass.of(
                        Opcodes.V1_4,
                        0,
                        List.of(),
                        writer -> run(writer, 0, code -> subroutine(code)));
        AssembledClass with =
                AssembledClass.of(
                        Opcodes.V1_4,
                        0,
                        List.of(),
                        writer ->
                                run(
                                        writer,
                                        0,
                                        code -> {
                                            code.visitVarInsn(Opcodes.ALOAD, 0);
                                            code.visitInsn(Opcodes.MONITORENTER);
                                            code.visitVarInsn(Opcodes.ALOAD, 0);
                                            code.visitInsn(Opcodes.MONITOREXIT);
                                            subroutine(code);
                                        }));
        for (AssembledClass made : List.of(without, with)) {
            assertThat(losesModifier(made)).isEqualTo(made == without);
            Class<?> wrapped = made.wrapped();
            Object object = wrapped.getConstructor().newInstance();
            assertThat(wrapped.getMethod("run").invoke(object)).isEqualTo(true);
            assertThat(Thread.holdsLock(object)).isFalse();
        }
    }

    /**
     * Calls what stands behind, as code once did with a {@code finally}, and returns whether the
     * method's monitor is held.
     */
    private static void subroutine(MethodVisitor code) {
        Label last = new Label();
        code.visitJumpInsn(Opcodes.JSR, last);
        holds(code, mine -> mine.visitVarInsn(Opcodes.ALOAD, 0));
        code.visitLabel(last);
        code.visitVarInsn(Opcodes.ASTORE, 1);
        code.visitVarInsn(Opcodes.RET, 1);
    }

    /** Returns whether the monitor that {@code load} puts on the stack is held. */
    private static void holds(MethodVisitor code, Consumer<MethodVisitor> load) {
        load.accept(code);
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                "java/lang/Thread",
                "holdsLock",
                "(Ljava/lang/Object;)Z",
                false);
        code.visitInsn(Opcodes.IRETURN);
    }

    private static void run(ClassWriter writer, int access, Consumer<MethodVisitor> code) {
        AssembledClass.method(writer, PUBLIC | SYNCHRONIZED | access, "run", "()Z", code);
    }

    private static boolean losesModifier(AssembledClass made) {
        int access = AssembledClass.access(made.wrappedFile(), "run");
        assertThat(made.classes().failed).hasValue(0);
        return (access & SYNCHRONIZED) == 0;
    }
}
