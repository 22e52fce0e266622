package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Code that no compiler writes and every verifier accepts: it is wrapped, or left alone, and does
 * what it did.
 */
class WrappedCodeTest {
    private static final int SYNCHRONIZED = Opcodes.ACC_SYNCHRONIZED;

    /** {@code HugeMethodLimit}. */
    private static final int MAX_COMPILED = 8_000;

    @Test
    void aValueBelowTheMonitorIsStoredAsItWas() throws ReflectiveOperationException {
        AssembledClass made =
                method(
                        0,
                        code -> {
                            Label start = new Label();
                            Label end = new Label();
                            Label handler = new Label();
                            code.visitTryCatchBlock(start, end, handler, null);
                            code.visitIntInsn(Opcodes.BIPUSH, 7);
                            code.visitVarInsn(Opcodes.ALOAD, 0);
                            code.visitInsn(Opcodes.MONITORENTER);
                            code.visitVarInsn(Opcodes.ISTORE, 1);
                            code.visitInsn(Opcodes.ICONST_0);
                            code.visitLabel(start);
                            code.visitInsn(Opcodes.POP);
                            AssembledClass.release(code, end, handler);
                            code.visitVarInsn(Opcodes.ILOAD, 1);
                            code.visitInsn(Opcodes.IRETURN);
                        });
        assertThat(run(made.plain())).isEqualTo(7);
        assertThat(run(made.wrapped())).isEqualTo(7);
    }

    @Test
    void aJumpBetweenTheMonitorAndItsRangeIsFollowedInCodeWithoutFrames()
            throws ReflectiveOperationException {
        AssembledClass made =
                AssembledClass.of(
                        Opcodes.V1_4,
                        0,
                        List.of(),
                        writer ->
                                run(
                                        writer,
                                        0,
                                        code -> {
                                            Label start = new Label();
                                            Label end = new Label();
                                            Label handler = new Label();
                                            Label into = new Label();
                                            Label before = new Label();
                                            code.visitTryCatchBlock(start, end, handler, null);
                                            code.visitVarInsn(Opcodes.ALOAD, 0);
                                            code.visitInsn(Opcodes.MONITORENTER);
                                            code.visitJumpInsn(Opcodes.GOTO, into);
                                            code.visitLabel(before);
                                            code.visitVarInsn(Opcodes.ALOAD, 0);
                                            code.visitInsn(Opcodes.MONITORENTER);
                                            code.visitInsn(Opcodes.NOP);
                                            code.visitLabel(into);
                                            code.visitInsn(Opcodes.NOP);
                                            code.visitLabel(start);
                                            code.visitInsn(Opcodes.NOP);
                                            AssembledClass.release(code, end, handler);
                                            code.visitInsn(Opcodes.ICONST_1);
                                            code.visitInsn(Opcodes.IRETURN);
                                        }));
        assertThat(run(made.plain())).isEqualTo(1);
        assertThat(run(made.wrapped())).isEqualTo(1);
    }

    @Test
    void theMonitorOfAnObjectThatIsNotInitializedIsEnteredAsItWas()
            throws ReflectiveOperationException {
        AssembledClass made =
                method(
                        0,
                        code -> {
                            Label start = new Label();
                            Label end = new Label();
                            Label handler = new Label();
                            code.visitTryCatchBlock(start, end, handler, null);
                            code.visitTypeInsn(Opcodes.NEW, "java/lang/Object");
                            code.visitInsn(Opcodes.DUP);
                            code.visitInsn(Opcodes.MONITORENTER);
                            code.visitLabel(start);
                            code.visitInsn(Opcodes.NOP);
                            code.visitLabel(end);
                            code.visitInsn(Opcodes.DUP);
                            code.visitInsn(Opcodes.MONITOREXIT);
                            code.visitMethodInsn(
                                    Opcodes.INVOKESPECIAL,
                                    "java/lang/Object",
                                    "<init>",
                                    "()V",
                                    false);
                            code.visitInsn(Opcodes.ICONST_2);
                            code.visitInsn(Opcodes.IRETURN);
                            code.visitLabel(handler);
                            code.visitInsn(Opcodes.ATHROW);
                        });
        assertThat(run(made.plain())).isEqualTo(2);
        assertThat(run(made.wrapped())).isEqualTo(2);
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aMethodThatReleasesItsOwnMonitorThrowsAndDoesNotHang() {
        AssembledClass made =
                method(
                        SYNCHRONIZED,
                        code -> {
                            code.visitVarInsn(Opcodes.ALOAD, 0);
                            code.visitInsn(Opcodes.MONITOREXIT);
                            code.visitInsn(Opcodes.ICONST_3);
                            code.visitInsn(Opcodes.IRETURN);
                        });
        assertThat(thrownBy(made.plain())).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(thrownBy(made.wrapped())).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aBlockOfACompilersShapeIsTimed() {
        AssembledClass made = method(SYNCHRONIZED, WrappedCodeTest::block);

        assertThat(AssembledClass.access(made.wrappedFile(), "run") & SYNCHRONIZED).isZero();
        assertThat(calls(made.wrappedFile())).isEqualTo(4);
    }

    @Test
    void anInitializerHasNoMonitorWhateverItsModifiers() {
        AssembledClass made =
                AssembledClass.of(
                        writer ->
                                AssembledClass.method(
                                        writer,
                                        SYNCHRONIZED | Opcodes.ACC_STATIC,
                                        "<clinit>",
                                        "()V",
                                        code -> code.visitInsn(Opcodes.RETURN)));

        assertThat(calls(made.wrappedFile())).isZero();
    }

    @Test
    void aMethodThatHotSpotWouldCompileNoMoreIsLeftAlone() {
        int rest = 2; // iconst_1; ireturn
        AssembledClass fits = method(SYNCHRONIZED, code -> long1(code, MAX_COMPILED - rest - 100));
        AssembledClass grows = method(SYNCHRONIZED, code -> long1(code, MAX_COMPILED - rest));
        AssembledClass huge = method(SYNCHRONIZED, code -> long1(code, MAX_COMPILED - rest + 1));

        assertThat(calls(fits.wrappedFile())).isEqualTo(2);
        assertThat(grows.wrappedFile()).isSameAs(grows.classFile());
        assertThat(grows.classes().failed).hasValue(0);
        assertThat(calls(huge.wrappedFile())).isEqualTo(2);
    }

    @Test
    void onlyTheMethodThatGrowsTooLongIsLeftAlone() {
        AssembledClass made =
                AssembledClass.of(
                        writer -> {
                            run(writer, SYNCHRONIZED, code -> long1(code, MAX_COMPILED - 2));
                            AssembledClass.method(
                                    writer,
                                    SYNCHRONIZED,
                                    "other",
                                    "()V",
                                    code -> code.visitInsn(Opcodes.RETURN));
                        });

        assertThat(AssembledClass.access(made.wrappedFile(), "run") & SYNCHRONIZED).isPositive();
        assertThat(AssembledClass.access(made.wrappedFile(), "other") & SYNCHRONIZED).isZero();
    }

    private static void long1(MethodVisitor code, int nops) {
        for (int i = 0; i < nops; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.ICONST_1);
        code.visitInsn(Opcodes.IRETURN);
    }

    private static void block(MethodVisitor code) {
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        code.visitTryCatchBlock(start, end, handler, null);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ASTORE, 1);
        code.visitInsn(Opcodes.MONITORENTER);
        code.visitLabel(start);
        code.visitInsn(Opcodes.NOP);
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitLabel(end);
        code.visitInsn(Opcodes.ICONST_1);
        code.visitInsn(Opcodes.IRETURN);
        code.visitLabel(handler);
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitInsn(Opcodes.ATHROW);
    }

    private static AssembledClass method(int access, Consumer<MethodVisitor> code) {
        return AssembledClass.of(writer -> run(writer, access, code));
    }

    private static void run(ClassWriter writer, int access, Consumer<MethodVisitor> code) {
        AssembledClass.method(writer, access | Opcodes.ACC_PUBLIC, "run", "()I", code);
    }

    private static Object run(Class<?> type) throws ReflectiveOperationException {
        return type.getMethod("run").invoke(type.getConstructor().newInstance());
    }

    private static Throwable thrownBy(Class<?> type) {
        try {
            run(type);
            return new AssertionError("nothing was thrown");
        } catch (ReflectiveOperationException thrown) {
            return Objects.requireNonNull(thrown.getCause());
        }
    }

    /** Returns how many calls of the probe a class file has. */
    private static int calls(byte[] classFile) {
        return AssembledClass.instructions(classFile, Opcodes.INVOKESTATIC);
    }
}
