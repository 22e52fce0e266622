package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/**
 * The JVM takes a new version of a class only with the modifiers and fields that it was loaded
 * with.
 */
class RedefinedClassTest {
    private static final int SYNCHRONIZED = Opcodes.ACC_SYNCHRONIZED;

    @Test
    void aClassThatWasWrappedAtLoadIsWrappedInEveryNewVersion() {
        Assembled made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] again = made.again(classFile(0, 20));

        assertThat(Assembled.access(again, "locked"))
                .isEqualTo(Assembled.access(loaded, "locked"))
                .isZero();
        assertThat(Assembled.fields(again)).isEqualTo(Assembled.fields(loaded)).hasSize(1);
        assertThat(Assembled.instructions(again, Opcodes.INVOKESTATIC)).isEqualTo(2);
    }

    @Test
    void whatWasDoneAtLoadIsKnownHoweverManyVersionsThereWere() {
        Assembled made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] first = made.again(classFile(0, 20));
        byte[] second = made.again(classFile(0, 20));

        assertThat(second).isEqualTo(first);
        assertThat(Assembled.fields(second)).isEqualTo(Assembled.fields(loaded)).hasSize(1);
    }

    @Test
    void aVersionWithoutMonitorsKeepsTheFieldThatWasAdded() {
        Assembled made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] again = made.again(withoutMonitors());

        assertThat(Assembled.fields(again)).isEqualTo(Assembled.fields(loaded)).hasSize(1);
    }

    @Test
    void aClassThatWasLoadedBeforeIsKnownOnceItIsWrapped() {
        Assembled made = made(0, 10);
        made.again(made.classFile());
        assertThat(made.classes().transformed)
                .as("only its modifier tells of a monitor")
                .hasValue(0);
        assertThat(made.classes().wrapped.contains(Assembled.NAME)).isFalse();

        made.again(withBlock());
        assertThat(made.classes().transformed).hasValue(1);
        assertThat(made.classes().wrapped.contains(Assembled.NAME)).isTrue();
    }

    @Test
    void theMethodsOfAClassThatWasLoadedBeforeKeepTheirModifierIfTheirBlocksAreTimed() {
        Assembled made = made(0, 10);
        byte[] again = made.again(withBlock());

        assertThat(Assembled.instructions(again, Opcodes.INVOKESTATIC)).isEqualTo(2);
        assertThat(Assembled.access(again, "locked")).isEqualTo(SYNCHRONIZED);
    }

    @Test
    void aClassThatWasLoadedBeforeKeepsItsModifiers() {
        Assembled made = made(0, 10);

        assertThat(Assembled.access(made.again(made.classFile()), "locked"))
                .isEqualTo(SYNCHRONIZED);
        assertThat(Assembled.fields(made.again(made.classFile()))).isEmpty();
    }

    @Test
    void aMethodWithoutRoomForTheProbeLosesItsModifierAllTheSame() {
        Assembled made = made(0, 10);
        made.wrappedFile();
        int tooLongForTheProbe = 65_535 - 14;
        byte[] again = made.again(classFile(0, tooLongForTheProbe));

        assertThat(Assembled.access(again, "locked")).isZero();
        assertThat(Assembled.instructions(again, Opcodes.INVOKESTATIC)).isZero();
        assertThat(Assembled.instructions(again, Opcodes.MONITORENTER)).isEqualTo(1);
    }

    @Test
    void aMethodThatBecomesTooLongToBeCompiledIsNotProbed() {
        Assembled made = made(0, 10);
        made.wrappedFile();
        byte[] again = made.again(classFile(0, 7_990));

        assertThat(Assembled.access(again, "locked")).isZero();
        assertThat(Assembled.instructions(again, Opcodes.INVOKESTATIC)).isZero();
    }

    @Test
    void whatWasLeftAloneAtLoadIsLeftAloneAgain() {
        Assembled made = made(0, 7_999);
        assertThat(made.wrappedFile()).isSameAs(made.classFile());

        byte[] shorter = classFile(0, 10);
        assertThat(made.again(shorter)).isSameAs(shorter);
    }

    @Test
    void aMethodThatNowOverwritesItsMonitorKeepsItsModifierSoThatTheJvmRefusesTheVersion() {
        Assembled made = made(0, 10);
        made.wrappedFile();
        byte[] again =
                made.again(
                        Assembled.classFile(
                                Opcodes.V21,
                                0,
                                List.of("java/io/Serializable"),
                                writer ->
                                        Assembled.method(
                                                writer,
                                                SYNCHRONIZED,
                                                "locked",
                                                "()V",
                                                code -> {
                                                    code.visitInsn(Opcodes.ACONST_NULL);
                                                    code.visitVarInsn(Opcodes.ASTORE, 0);
                                                    code.visitInsn(Opcodes.RETURN);
                                                })));

        assertThat(Assembled.access(again, "locked")).isEqualTo(SYNCHRONIZED);
    }

    @Test
    void aVersionThatIsWrappedAlreadyIsTakenAsItIs() {
        Assembled made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] again = made.again(loaded);

        assertThat(Assembled.access(again, "locked")).isZero();
        assertThat(Assembled.fields(again)).hasSize(1);
        assertThat(Assembled.instructions(again, Opcodes.MONITORENTER)).isEqualTo(1);
    }

    @Test
    void aClassIsCountedOnceHoweverOftenItIsTransformed() {
        Assembled made = made(0, 10);
        made.wrappedFile();
        made.again(made.classFile());
        made.again(made.classFile());

        assertThat(made.classes().transformed).hasValue(1);
        assertThat(made.classes().wrapped.contains(Assembled.NAME)).isTrue();
    }

    @Test
    void aLoaderIsForgottenWhenItIsCollected() {
        WrappedClasses wrapped = new WrappedClasses();
        wrapped.put(new Assembled.Loader(), Assembled.NAME, WrappedClasses.Change.NONE);
        assertThat(wrapped.contains(Assembled.NAME)).isTrue();
        await().untilAsserted(
                        () -> {
                            System.gc();
                            assertThat(wrapped.loaders()).isZero();
                        });
        assertThat(wrapped.contains(Assembled.NAME)).isFalse();
    }

    private static Assembled made(int access, int length) {
        return Assembled.of(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer -> locked(writer, access, length));
    }

    private static byte[] classFile(int access, int length) {
        return Assembled.classFile(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer -> locked(writer, access, length));
    }

    private static byte[] withoutMonitors() {
        return Assembled.classFile(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer ->
                        Assembled.method(
                                writer,
                                0,
                                "locked",
                                "()V",
                                code -> code.visitInsn(Opcodes.RETURN)));
    }

    /** In a method that is {@code synchronized}. */
    private static byte[] withBlock() {
        return Assembled.classFile(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer ->
                        Assembled.method(
                                writer,
                                SYNCHRONIZED,
                                "locked",
                                "()V",
                                code -> {
                                    Assembled.block(code);
                                    code.visitInsn(Opcodes.RETURN);
                                }));
    }

    /** With so many bytes of code. */
    private static void locked(ClassWriter writer, int access, int length) {
        Assembled.method(
                writer, access | SYNCHRONIZED, "locked", "()V", code -> nothing(code, length - 1));
    }

    private static void nothing(MethodVisitor code, int nops) {
        for (int i = 0; i < nops; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.RETURN);
    }
}
