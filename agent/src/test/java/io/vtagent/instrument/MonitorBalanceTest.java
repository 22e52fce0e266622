package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A {@code synchronized} method with blocks of its own loses the modifier only if they release, on
 * every way, what they have entered and nothing else. The code has no frames, so that each test
 * writes down all that there is.
 */
class MonitorBalanceTest {
    private static final String RUNTIME_EXCEPTION = "java/lang/RuntimeException";

    @Test
    void aBlockMayThrowFromTheFirstToTheLastInstructionThatItsHandlerStandsFor() {
        assertLosesModifier(
                code -> {
                    Range range = new Range(code, null);
                    enter(code, 1);
                    range.begin();
                    call(code);
                    exit(code, 1);
                    range.end();
                    call(code);
                    code.visitInsn(Opcodes.RETURN);
                    range.handler();
                    exitAndThrow(code, 1);
                });
    }

    @Test
    void aHandlerMayStandForTheReturnBehindTheBlockToo() {
        assertLosesModifier(
                code -> {
                    Range range = new Range(code, null);
                    enter(code, 1);
                    range.begin();
                    call(code);
                    exitAndReturn(code, 1);
                    range.end();
                    range.handler();
                    exitAndThrow(code, 1);
                });
    }

    @Test
    void aBlockWithoutAHandlerMayDoOnlyWhatCannotThrow() {
        assertLosesModifier(
                code -> {
                    Label onwards = new Label();
                    enter(code, 1);
                    code.visitInsn(Opcodes.ICONST_1);
                    code.visitVarInsn(Opcodes.ISTORE, 2);
                    code.visitIntInsn(Opcodes.SIPUSH, 300);
                    code.visitVarInsn(Opcodes.ISTORE, 2);
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitVarInsn(Opcodes.ASTORE, 3);
                    code.visitJumpInsn(Opcodes.GOTO, onwards);
                    code.visitLabel(onwards);
                    exitAndReturn(code, 1);
                });
        assertKeepsModifier(
                code -> {
                    enter(code, 1);
                    call(code);
                    exitAndReturn(code, 1);
                });
        assertKeepsModifier(
                code -> {
                    enter(code, 1);
                    code.visitLdcInsn("a constant that the JVM has to resolve");
                    code.visitVarInsn(Opcodes.ASTORE, 2);
                    exitAndReturn(code, 1);
                });
    }

    @Test
    void aHandlerDoesNotStandForWhatComesRightBehindItsRange() {
        assertKeepsModifier(
                code -> {
                    Range range = new Range(code, null);
                    enter(code, 1);
                    range.begin();
                    code.visitInsn(Opcodes.NOP);
                    range.end();
                    call(code);
                    exitAndReturn(code, 1);
                    range.handler();
                    exitAndThrow(code, 1);
                });
    }

    @Test
    void aHandlerHasToRelease() {
        assertKeepsModifier(
                code -> {
                    Range range = guarded(code, null);
                    range.handler();
                    code.visitInsn(Opcodes.ATHROW);
                });
    }

    @Test
    void aHandlerOfOneTypeIsNotEnough() {
        assertKeepsModifier(
                code -> {
                    Range range = guarded(code, RUNTIME_EXCEPTION);
                    range.handler();
                    exitAndThrow(code, 1);
                });
    }

    @Test
    void aHandlerOfOneTypeLeavesTheOthersToTheNext() {
        assertLosesModifier(code -> twoHandlers(code, last -> exitAndThrow(last, 1)));
        assertKeepsModifier(code -> twoHandlers(code, last -> last.visitInsn(Opcodes.ATHROW)));
    }

    /**
     * Bytes behind the exception table, such as attributes and other methods, are none of its
     * entries.
     */
    @Test
    void anotherMethodBehindIsNotTakenForAHandler() {
        AssembledClass made =
                AssembledClass.of(
                        Opcodes.V1_5,
                        0,
                        List.of(),
                        writer -> {
                            run(
                                    writer,
                                    code -> {
                                        call(code);
                                        code.visitVarInsn(Opcodes.ALOAD, 0);
                                        code.visitInsn(Opcodes.MONITORENTER);
                                        exitAndReturn(code, 0);
                                    });
                            int access =
                                    Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
                            AssembledClass.method(
                                    writer,
                                    access,
                                    "behind",
                                    "()V",
                                    code -> code.visitInsn(Opcodes.RETURN));
                        });
        assertThat(losesModifier(made)).isTrue();
    }

    @Test
    void waysThatMeetHoldTheSame() {
        assertKeepsModifier(
                code -> {
                    Label meet = new Label();
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitJumpInsn(Opcodes.IFNULL, meet);
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitInsn(Opcodes.MONITORENTER);
                    code.visitLabel(meet);
                    code.visitInsn(Opcodes.RETURN);
                });
    }

    @Test
    void aMonitorIsOneThatALocalVariableHas() {
        assertKeepsModifier(
                code -> {
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitInsn(Opcodes.NOP);
                    code.visitInsn(Opcodes.MONITORENTER);
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitInsn(Opcodes.NOP);
                    code.visitInsn(Opcodes.MONITOREXIT);
                    code.visitInsn(Opcodes.RETURN);
                });
    }

    @Test
    void theMonitorThatIsReleasedIsTheOneThatWasEntered() {
        assertKeepsModifier(
                code -> {
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitVarInsn(Opcodes.ASTORE, 2);
                    enter(code, 1);
                    exitAndReturn(code, 2);
                });
    }

    @Test
    void theVariableWithTheMonitorStaysAsItIs() {
        assertKeepsModifier(
                code -> {
                    enter(code, 1);
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitVarInsn(Opcodes.ASTORE, 1);
                    exitAndReturn(code, 1);
                });
    }

    @Test
    void codeThatTheVerifierWillRefuseIsNotBalanced() {
        AssembledClass endless =
                made(
                        code -> {
                            enter(code, 1);
                            exit(code, 1);
                        });
        AssembledClass ofNothing =
                made(
                        code -> {
                            code.visitInsn(Opcodes.MONITORENTER);
                            exitAndReturn(code, 0);
                        });
        assertThat(losesModifier(endless)).isFalse();
        assertThat(losesModifier(ofNothing)).isFalse();
    }

    /** The range of an exception handler. */
    private record Range(MethodVisitor code, Label from, Label to, Label target) {
        Range(MethodVisitor code, @Nullable String type) {
            this(code, new Label(), new Label(), new Label());
            code.visitTryCatchBlock(from, to, target, type);
        }

        void begin() {
            code.visitLabel(from);
        }

        void end() {
            code.visitLabel(to);
        }

        void handler() {
            code.visitLabel(target);
        }
    }

    /** A block that may throw; its handler is yet to come. */
    private static Range guarded(MethodVisitor code, @Nullable String type) {
        Range range = new Range(code, type);
        enter(code, 1);
        range.begin();
        call(code);
        exit(code, 1);
        range.end();
        code.visitInsn(Opcodes.RETURN);
        return range;
    }

    /** A block with a handler that releases, of one type, and with one for all others. */
    private static void twoHandlers(MethodVisitor code, Consumer<MethodVisitor> last) {
        Range one = new Range(code, RUNTIME_EXCEPTION);
        Range all = new Range(code, null);
        enter(code, 1);
        one.begin();
        all.begin();
        call(code);
        exit(code, 1);
        one.end();
        all.end();
        code.visitInsn(Opcodes.RETURN);
        one.handler();
        exitAndThrow(code, 1);
        all.handler();
        last.accept(code);
    }

    private static void enter(MethodVisitor code, int variable) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ASTORE, variable);
        code.visitInsn(Opcodes.MONITORENTER);
    }

    private static void exit(MethodVisitor code, int variable) {
        code.visitVarInsn(Opcodes.ALOAD, variable);
        code.visitInsn(Opcodes.MONITOREXIT);
    }

    private static void exitAndReturn(MethodVisitor code, int variable) {
        exit(code, variable);
        code.visitInsn(Opcodes.RETURN);
    }

    private static void exitAndThrow(MethodVisitor code, int variable) {
        exit(code, variable);
        code.visitInsn(Opcodes.ATHROW);
    }

    /** Adds a call that may throw anything. */
    private static void call(MethodVisitor code) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "yield", "()V", false);
    }

    private static AssembledClass made(Consumer<MethodVisitor> code) {
        return AssembledClass.of(Opcodes.V1_5, 0, List.of(), writer -> run(writer, code));
    }

    private static void run(ClassWriter writer, Consumer<MethodVisitor> code) {
        AssembledClass.method(
                writer, Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED, "run", "()V", code);
    }

    private static boolean losesModifier(AssembledClass made) {
        int access = AssembledClass.access(made.wrappedFile(), "run");
        assertThat(made.classes().failed).hasValue(0);
        return (access & Opcodes.ACC_SYNCHRONIZED) == 0;
    }

    private static void assertLosesModifier(Consumer<MethodVisitor> code) {
        AssembledClass made = made(code);
        assertThat(made.plain()).as("verified").isNotNull();
        assertThat(losesModifier(made)).isTrue();
        assertThat(made.wrapped()).as("verified").isNotNull();
    }

    private static void assertKeepsModifier(Consumer<MethodVisitor> code) {
        AssembledClass made = made(code);
        assertThat(made.plain()).as("verified").isNotNull();
        assertThat(losesModifier(made)).isFalse();
    }
}
