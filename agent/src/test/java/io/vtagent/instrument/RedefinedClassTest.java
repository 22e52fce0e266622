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
        AssembledClass made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] again = made.again(classFile(0, 20));

        assertThat(AssembledClass.access(again, "locked"))
                .isEqualTo(AssembledClass.access(loaded, "locked"))
                .isZero();
        assertThat(AssembledClass.fields(again))
                .isEqualTo(AssembledClass.fields(loaded))
                .hasSize(1);
        assertThat(AssembledClass.instructions(again, Opcodes.INVOKESTATIC)).isEqualTo(2);
    }

    @Test
    void whatWasDoneAtLoadIsKnownHoweverManyVersionsThereWere() {
        AssembledClass made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] first = made.again(classFile(0, 20));
        byte[] second = made.again(classFile(0, 20));

        assertThat(second).isEqualTo(first);
        assertThat(AssembledClass.fields(second))
                .isEqualTo(AssembledClass.fields(loaded))
                .hasSize(1);
    }

    @Test
    void aVersionWithoutMonitorsKeepsTheFieldThatWasAdded() {
        AssembledClass made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] again = made.again(withoutMonitors());

        assertThat(AssembledClass.fields(again))
                .isEqualTo(AssembledClass.fields(loaded))
                .hasSize(1);
    }

    @Test
    void aClassThatWasLoadedBeforeIsKnownOnceItIsWrapped() {
        AssembledClass made = made(0, 10);
        made.again(made.classFile());
        assertThat(made.classes().transformed)
                .as("only its modifier tells of a monitor")
                .hasValue(0);
        assertThat(made.classes().wrapped.contains(AssembledClass.NAME)).isFalse();

        made.again(withBlock());
        assertThat(made.classes().transformed).hasValue(1);
        assertThat(made.classes().wrapped.contains(AssembledClass.NAME)).isTrue();
    }

    @Test
    void theMethodsOfAClassThatWasLoadedBeforeKeepTheirModifierIfTheirBlocksAreTimed() {
        AssembledClass made = made(0, 10);
        byte[] again = made.again(withBlock());

        assertThat(AssembledClass.instructions(again, Opcodes.INVOKESTATIC)).isEqualTo(2);
        assertThat(AssembledClass.access(again, "locked")).isEqualTo(SYNCHRONIZED);
    }

    @Test
    void aClassThatWasLoadedBeforeKeepsItsModifiers() {
        AssembledClass made = made(0, 10);

        assertThat(AssembledClass.access(made.again(made.classFile()), "locked"))
                .isEqualTo(SYNCHRONIZED);
        assertThat(AssembledClass.fields(made.again(made.classFile()))).isEmpty();
    }

    @Test
    void aMethodWithoutRoomForTheProbeLosesItsModifierAllTheSame() {
        AssembledClass made = made(0, 10);
        made.wrappedFile();
        int tooLongForTheProbe = 65_535 - 14;
        byte[] again = made.again(classFile(0, tooLongForTheProbe));

        assertThat(AssembledClass.access(again, "locked")).isZero();
        assertThat(AssembledClass.instructions(again, Opcodes.INVOKESTATIC)).isZero();
        assertThat(AssembledClass.instructions(again, Opcodes.MONITORENTER)).isEqualTo(1);
    }

    @Test
    void aMethodThatBecomesTooLongToBeCompiledIsNotProbed() {
        AssembledClass made = made(0, 10);
        made.wrappedFile();
        byte[] again = made.again(classFile(0, 7_990));

        assertThat(AssembledClass.access(again, "locked")).isZero();
        assertThat(AssembledClass.instructions(again, Opcodes.INVOKESTATIC)).isZero();
    }

    @Test
    void whatWasLeftAloneAtLoadIsLeftAloneAgain() {
        AssembledClass made = made(0, 7_999);
        assertThat(made.wrappedFile()).isSameAs(made.classFile());

        byte[] shorter = classFile(0, 10);
        assertThat(made.again(shorter)).isSameAs(shorter);
    }

    @Test
    void aMethodThatNowOverwritesItsMonitorKeepsItsModifierSoThatTheJvmRefusesTheVersion() {
        AssembledClass made = made(0, 10);
        made.wrappedFile();
        byte[] again =
                made.again(
                        AssembledClass.classFile(
                                Opcodes.V21,
                                0,
                                List.of("java/io/Serializable"),
                                writer ->
                                        AssembledClass.method(
                                                writer,
                                                SYNCHRONIZED,
                                                "locked",
                                                "()V",
                                                code -> {
                                                    code.visitInsn(Opcodes.ACONST_NULL);
                                                    code.visitVarInsn(Opcodes.ASTORE, 0);
                                                    code.visitInsn(Opcodes.RETURN);
                                                })));

        assertThat(AssembledClass.access(again, "locked")).isEqualTo(SYNCHRONIZED);
    }

    @Test
    void aVersionThatIsWrappedAlreadyIsTakenAsItIs() {
        AssembledClass made = made(0, 10);
        byte[] loaded = made.wrappedFile();
        byte[] again = made.again(loaded);

        assertThat(AssembledClass.access(again, "locked")).isZero();
        assertThat(AssembledClass.fields(again)).hasSize(1);
        assertThat(AssembledClass.instructions(again, Opcodes.MONITORENTER)).isEqualTo(1);
    }

    @Test
    void aClassIsCountedOnceHoweverOftenItIsTransformed() {
        AssembledClass made = made(0, 10);
        made.wrappedFile();
        made.again(made.classFile());
        made.again(made.classFile());

        assertThat(made.classes().transformed).hasValue(1);
        assertThat(made.classes().wrapped.contains(AssembledClass.NAME)).isTrue();
    }

    @Test
    void aLoaderIsForgottenWhenItIsCollected() {
        WrappedClasses wrapped = new WrappedClasses();
        wrapped.put(new AssembledClass.Loader(), AssembledClass.NAME, WrappedClasses.Change.NONE);
        assertThat(wrapped.contains(AssembledClass.NAME)).isTrue();
        await().untilAsserted(
                        () -> {
                            System.gc();
                            assertThat(wrapped.loaders()).isZero();
                        });
        assertThat(wrapped.contains(AssembledClass.NAME)).isFalse();
    }

    private static AssembledClass made(int access, int length) {
        return AssembledClass.of(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer -> locked(writer, access, length));
    }

    private static byte[] classFile(int access, int length) {
        return AssembledClass.classFile(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer -> locked(writer, access, length));
    }

    private static byte[] withoutMonitors() {
        return AssembledClass.classFile(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer ->
                        AssembledClass.method(
                                writer,
                                0,
                                "locked",
                                "()V",
                                code -> code.visitInsn(Opcodes.RETURN)));
    }

    /** In a method that is {@code synchronized}. */
    private static byte[] withBlock() {
        return AssembledClass.classFile(
                Opcodes.V21,
                0,
                List.of("java/io/Serializable"),
                writer ->
                        AssembledClass.method(
                                writer,
                                SYNCHRONIZED,
                                "locked",
                                "()V",
                                code -> {
                                    AssembledClass.block(code);
                                    code.visitInsn(Opcodes.RETURN);
                                }));
    }

    /** Adds a method with that many bytes of code. */
    private static void locked(ClassWriter writer, int access, int length) {
        AssembledClass.method(
                writer, access | SYNCHRONIZED, "locked", "()V", code -> nothing(code, length - 1));
    }

    private static void nothing(MethodVisitor code, int nops) {
        for (int i = 0; i < nops; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.RETURN);
    }
}
