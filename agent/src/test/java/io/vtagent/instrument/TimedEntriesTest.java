package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks that are timed: those of the shapes that compilers write. The others, where the calls
 * could do harm, are left alone.
 */
class TimedEntriesTest {
    private static final int RESULT = 2;
    private static final String OBJECT = "java/lang/Object";
    private static final String THROWABLE = "java/lang/Throwable";

    @Test
    void oneWithNoOperationBeforeTheRangeOfItsHandlerIs() throws ReflectiveOperationException {
        assertTimed(
                made(code -> block(code, before -> before.visitInsn(Opcodes.NOP), within -> {})));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Opcodes.ACONST_NULL,
                Opcodes.ICONST_M1,
                Opcodes.ICONST_5,
                Opcodes.FCONST_0,
                Opcodes.FCONST_2
            })
    void oneThatSetsAVariableBeforeTheRangeIs(int constant) throws ReflectiveOperationException {
        int store =
                constant == Opcodes.ACONST_NULL
                        ? Opcodes.ASTORE
                        : constant < Opcodes.FCONST_0 ? Opcodes.ISTORE : Opcodes.FSTORE;
        assertTimed(
                made(
                        code ->
                                block(
                                        code,
                                        before -> {
                                            before.visitInsn(constant);
                                            before.visitVarInsn(store, 1);
                                        },
                                        within -> {})));
    }

    @Test
    void oneBehindAnObjectThatWasMadeIs() throws ReflectiveOperationException {
        assertTimed(
                made(
                        code -> {
                            code.visitTypeInsn(Opcodes.NEW, OBJECT);
                            code.visitInsn(Opcodes.DUP);
                            code.visitMethodInsn(
                                    Opcodes.INVOKESPECIAL, OBJECT, "<init>", "()V", false);
                            code.visitInsn(Opcodes.POP);
                            block(code, before -> {}, within -> {});
                        }));
    }

    @Test
    void oneBehindACallOfAMethodOfTheSuperclassIs() throws ReflectiveOperationException {
        assertTimed(
                made(
                        code -> {
                            code.visitVarInsn(Opcodes.ALOAD, 0);
                            code.visitMethodInsn(
                                    Opcodes.INVOKESPECIAL, OBJECT, "hashCode", "()I", false);
                            code.visitInsn(Opcodes.POP);
                            block(code, before -> {}, within -> {});
                        }));
    }

    @Test
    void oneThatBeginsWithALoopIs() throws ReflectiveOperationException {
        assertTimed(
                made(
                        code -> {
                            Label again = new Label();
                            code.visitInsn(Opcodes.ICONST_3);
                            code.visitVarInsn(Opcodes.ISTORE, 1);
                            block(
                                    code,
                                    before -> {},
                                    within -> {
                                        within.visitLabel(again);
                                        within.visitIincInsn(1, -1);
                                        within.visitVarInsn(Opcodes.ILOAD, 1);
                                        within.visitJumpInsn(Opcodes.IFGT, again);
                                    });
                        }));
    }

    /**
     * A frame stands where a jump may lead, and does not describe a value that waits on the stack
     * for the call.
     */
    @Test
    void oneWithAFrameBeforeTheRangeIsNot() throws ReflectiveOperationException {
        assertLeftAlone(
                AssembledClass.of(
                        withoutComputedFrames(
                                code -> {
                                    Label start = new Label();
                                    Label end = new Label();
                                    Label handler = new Label();
                                    code.visitTryCatchBlock(start, end, handler, null);
                                    code.visitVarInsn(Opcodes.ALOAD, 0);
                                    code.visitInsn(Opcodes.MONITORENTER);
                                    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                                    code.visitInsn(Opcodes.NOP);
                                    code.visitLabel(start);
                                    code.visitInsn(Opcodes.NOP);
                                    release(code);
                                    code.visitLabel(end);
                                    code.visitInsn(Opcodes.ICONST_2);
                                    code.visitInsn(Opcodes.IRETURN);
                                    code.visitLabel(handler);
                                    code.visitFrame(
                                            Opcodes.F_SAME1, 0, null, 1, new Object[] {THROWABLE});
                                    release(code);
                                    code.visitInsn(Opcodes.ATHROW);
                                })));
    }

    @Test
    void oneIntoWhichAnotherHandlerLeadsBeforeTheRangeIsNot() throws ReflectiveOperationException {
        assertLeftAlone(
                AssembledClass.of(
                        Opcodes.V1_5,
                        0,
                        List.of(),
                        writer ->
                                run(
                                        writer,
                                        code -> {
                                            Label called = new Label();
                                            Label calledEnd = new Label();
                                            Label into = new Label();
                                            Label start = new Label();
                                            Label end = new Label();
                                            Label handler = new Label();
                                            code.visitTryCatchBlock(start, end, handler, null);
                                            code.visitTryCatchBlock(called, calledEnd, into, null);
                                            code.visitLabel(called);
                                            code.visitMethodInsn(
                                                    Opcodes.INVOKESTATIC,
                                                    "java/lang/Thread",
                                                    "yield",
                                                    "()V",
                                                    false);
                                            code.visitLabel(calledEnd);
                                            code.visitInsn(Opcodes.ACONST_NULL);
                                            code.visitVarInsn(Opcodes.ALOAD, 0);
                                            code.visitInsn(Opcodes.MONITORENTER);
                                            code.visitInsn(Opcodes.NOP);
                                            code.visitLabel(into);
                                            code.visitInsn(Opcodes.NOP);
                                            code.visitLabel(start);
                                            code.visitInsn(Opcodes.POP);
                                            AssembledClass.release(code, end, handler);
                                            code.visitInsn(Opcodes.ICONST_2);
                                            code.visitInsn(Opcodes.IRETURN);
                                        })));
    }

    /**
     * The verifier lets a method enter the monitor of an object that is not initialized yet, but
     * does not let it pass the object on.
     */
    @Test
    void oneOfAnObjectThatIsInitializedAfterwardsIsNot() throws ReflectiveOperationException {
        assertLeftAlone(
                made(
                        code -> {
                            Label made = new Label();
                            Label start = new Label();
                            Label end = new Label();
                            Label handler = new Label();
                            Label make = new Label();
                            code.visitTryCatchBlock(start, end, handler, null);
                            code.visitJumpInsn(Opcodes.GOTO, make);
                            code.visitLabel(made);
                            code.visitVarInsn(Opcodes.ALOAD, 1);
                            code.visitInsn(Opcodes.MONITORENTER);
                            code.visitLabel(start);
                            code.visitVarInsn(Opcodes.ALOAD, 1);
                            code.visitInsn(Opcodes.MONITOREXIT);
                            code.visitLabel(end);
                            code.visitVarInsn(Opcodes.ALOAD, 1);
                            code.visitMethodInsn(
                                    Opcodes.INVOKESPECIAL, OBJECT, "<init>", "()V", false);
                            code.visitInsn(Opcodes.ICONST_2);
                            code.visitInsn(Opcodes.IRETURN);
                            code.visitLabel(handler);
                            code.visitVarInsn(Opcodes.ALOAD, 1);
                            code.visitInsn(Opcodes.MONITOREXIT);
                            code.visitInsn(Opcodes.ATHROW);
                            code.visitLabel(make);
                            code.visitTypeInsn(Opcodes.NEW, OBJECT);
                            code.visitVarInsn(Opcodes.ASTORE, 1);
                            code.visitJumpInsn(Opcodes.GOTO, made);
                        }));
    }

    @Test
    void oneThatFindsTheStackFullIsGivenRoomForOneValueMore() throws ReflectiveOperationException {
        assertTimed(
                made(
                        code -> {
                            Label start = new Label();
                            Label end = new Label();
                            Label handler = new Label();
                            code.visitTryCatchBlock(start, end, handler, null);
                            code.visitInsn(Opcodes.ICONST_2);
                            code.visitVarInsn(Opcodes.ALOAD, 0);
                            code.visitInsn(Opcodes.MONITORENTER);
                            code.visitLabel(start);
                            release(code);
                            code.visitLabel(end);
                            code.visitInsn(Opcodes.IRETURN);
                            code.visitLabel(handler);
                            release(code);
                            code.visitInsn(Opcodes.ATHROW);
                        }));
    }

    /**
     * A block of {@code this}, with code before and within the range of its handler, in a method
     * that gives {@link #RESULT}.
     */
    private static void block(
            MethodVisitor code, Consumer<MethodVisitor> before, Consumer<MethodVisitor> within) {
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        code.visitTryCatchBlock(start, end, handler, null);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITORENTER);
        before.accept(code);
        code.visitLabel(start);
        within.accept(code);
        AssembledClass.release(code, end, handler);
        code.visitInsn(Opcodes.ICONST_2);
        code.visitInsn(Opcodes.IRETURN);
    }

    private static void release(MethodVisitor code) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITOREXIT);
    }

    private static AssembledClass made(Consumer<MethodVisitor> code) {
        return AssembledClass.of(writer -> run(writer, code));
    }

    private static void run(ClassWriter writer, Consumer<MethodVisitor> code) {
        AssembledClass.method(writer, Opcodes.ACC_PUBLIC, "run", "()I", code);
    }

    private static byte[] withoutComputedFrames(Consumer<MethodVisitor> run) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, AssembledClass.NAME, null, OBJECT, null);
        AssembledClass.method(
                writer,
                Opcodes.ACC_PUBLIC,
                "<init>",
                "()V",
                code -> {
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitMethodInsn(Opcodes.INVOKESPECIAL, OBJECT, "<init>", "()V", false);
                    code.visitInsn(Opcodes.RETURN);
                });
        run(writer, run);
        return writer.toByteArray();
    }

    private static void assertTimed(AssembledClass made) throws ReflectiveOperationException {
        assertThat(AssembledClass.instructions(made.classFile(), Opcodes.INVOKESTATIC)).isZero();
        assertThat(AssembledClass.instructions(made.wrappedFile(), Opcodes.INVOKESTATIC))
                .as("before and after the entry")
                .isEqualTo(2);
        assertRuns(made);
    }

    private static void assertLeftAlone(AssembledClass made) throws ReflectiveOperationException {
        assertThat(made.wrappedFile()).isSameAs(made.classFile());
        assertThat(made.classes().failed).hasValue(0);
        assertRuns(made);
    }

    private static void assertRuns(AssembledClass made) throws ReflectiveOperationException {
        for (Class<?> type : List.of(made.plain(), made.wrapped())) {
            Object object = type.getConstructor().newInstance();
            assertThat(type.getMethod("run").invoke(object)).isEqualTo(RESULT);
            assertThat(Thread.holdsLock(object)).isFalse();
        }
    }
}
