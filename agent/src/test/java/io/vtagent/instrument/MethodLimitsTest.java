package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/**
 * How long, deep and nested a method may be so that it is wrapped: up to what a class file holds,
 * and HotSpot compiles.
 */
class MethodLimitsTest {
    private static final int SYNCHRONIZED = Opcodes.ACC_SYNCHRONIZED;

    /** {@code HugeMethodLimit}. */
    private static final int MAX_COMPILED = 8_000;

    /** Of the code, of the stack, and of the handlers: what two bytes hold. */
    private static final int MOST = 0xFFFF;

    private static final int MAX_NESTED = 64;

    @Test
    void aMethodMayGrowUntilHotSpotWouldCompileItNoMore() {
        int added = addedTo(MAX_COMPILED / 2);
        Assembled compiled = synchronizedFor(MAX_COMPILED - added);
        Assembled tooLong = synchronizedFor(MAX_COMPILED - added + 1);

        assertThat(length(compiled.wrappedFile())).isEqualTo(MAX_COMPILED);
        assertLeftAlone(tooLong);
        assertThat(tooLong.classes().failed).hasValue(0);
    }

    @Test
    void aMethodThatIsNotCompiledMayGrowUntilTheClassFileHoldsItNoMore() {
        int added = addedTo(MOST / 2);
        Assembled fits = synchronizedFor(MOST - added);
        Assembled tooLong = synchronizedFor(MOST - added + 1);

        assertThat(length(fits.wrappedFile())).isEqualTo(MOST);
        assertThat(fits.wrapped()).as("verified").isNotNull();
        assertLeftAlone(tooLong);
        assertThat(tooLong.classes().failed).hasValue(1);
    }

    @Test
    void theLongestMethodThatThereCanBeLeavesTheOthersToBeWrapped() {
        Assembled made =
                Assembled.of(
                        writer -> {
                            Assembled.method(
                                    writer,
                                    Opcodes.ACC_PUBLIC,
                                    "longest",
                                    "()V",
                                    code -> {
                                        code.visitVarInsn(Opcodes.ALOAD, 0);
                                        code.visitInsn(Opcodes.MONITORENTER);
                                        code.visitVarInsn(Opcodes.ALOAD, 0);
                                        code.visitInsn(Opcodes.MONITOREXIT);
                                        returnAfter(code, MOST - 4);
                                    });
                            run(writer, code -> code.visitInsn(Opcodes.RETURN));
                        });
        assertThat(Assembled.access(made.wrappedFile(), "run") & SYNCHRONIZED).isZero();
    }

    @Test
    void theStackHasRoomForTheMonitorAndForTheValueThatWaitsForTheCall() {
        assertThat(losesModifier(withStack(MOST - 2))).isTrue();
        assertThat(losesModifier(withStack(MOST - 1))).isFalse();
    }

    @Test
    void theExceptionTableHasRoomForARangeBeforeEachReturnAndForTwoMore() {
        assertThat(losesModifier(withTwoReturns(MOST - 2 - 2))).isTrue();
        assertThat(losesModifier(withTwoReturns(MOST - 2 - 2 + 1))).isFalse();
    }

    @Test
    void blocksMayBeNestedDeeperThanPeopleWriteThem() {
        assertThat(losesModifier(made(code -> nested(code, MAX_NESTED)))).isTrue();
        assertThat(losesModifier(made(code -> nested(code, MAX_NESTED + 1)))).isFalse();
    }

    private static Assembled synchronizedFor(int bytes) {
        return made(code -> returnAfter(code, bytes));
    }

    /** So many bytes of code, of which the last returns. */
    private static void returnAfter(MethodVisitor code, int bytes) {
        for (int i = 1; i < bytes; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.RETURN);
    }

    /** With a stack as deep as the class file says, not as the code needs it. */
    private static Assembled withStack(int depth) {
        byte[] classFile = made(code -> code.visitInsn(Opcodes.RETURN)).classFile();
        int at = code(new ParsedClass(classFile)).at;
        classFile[at] = (byte) (depth >> 8);
        classFile[at + 1] = (byte) depth;
        return Assembled.of(classFile);
    }

    private static Assembled withTwoReturns(int handlers) {
        return made(
                code -> {
                    Label start = new Label();
                    Label end = new Label();
                    Label handler = new Label();
                    for (int i = 0; i < handlers; i++) {
                        code.visitTryCatchBlock(start, end, handler, null);
                    }
                    code.visitLabel(start);
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitJumpInsn(Opcodes.IFNULL, end);
                    code.visitInsn(Opcodes.RETURN);
                    code.visitLabel(end);
                    code.visitInsn(Opcodes.RETURN);
                    code.visitLabel(handler);
                    code.visitInsn(Opcodes.ATHROW);
                });
    }

    /**
     * So many blocks of the same monitor; the handler of each releases it, and goes on to that of
     * the block around it.
     */
    private static void nested(MethodVisitor code, int depth) {
        Label[] starts = new Label[depth];
        Label[] handlers = new Label[depth];
        for (int level = 0; level < depth; level++) {
            starts[level] = new Label();
            handlers[level] = new Label();
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitInsn(Opcodes.MONITORENTER);
            code.visitLabel(starts[level]);
            if (level > 0) {
                code.visitTryCatchBlock(
                        starts[level - 1], starts[level], handlers[level - 1], null);
            }
        }
        for (int level = 0; level < depth; level++) {
            release(code);
        }
        code.visitInsn(Opcodes.RETURN);
        for (int level = depth - 1; level >= 0; level--) {
            code.visitLabel(handlers[level]);
            release(code);
        }
        code.visitInsn(Opcodes.ATHROW);
    }

    private static void release(MethodVisitor code) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITOREXIT);
    }

    private static Assembled made(Consumer<MethodVisitor> code) {
        return Assembled.of(Opcodes.V1_5, 0, List.of(), writer -> run(writer, code));
    }

    private static void run(ClassWriter writer, Consumer<MethodVisitor> code) {
        Assembled.method(writer, Opcodes.ACC_PUBLIC | SYNCHRONIZED, "run", "()V", code);
    }

    /** How many bytes wrapping adds to the code of a method of that length. */
    private static int addedTo(int bytes) {
        return length(synchronizedFor(bytes).wrappedFile()) - bytes;
    }

    /** Of the code of {@code run}. */
    private static int length(byte[] classFile) {
        return code(new ParsedClass(classFile)).length;
    }

    private static MethodCode code(ParsedClass parsed) {
        int last = parsed.methodCount() - 1;
        return new MethodCode(parsed, parsed.codeOf(last));
    }

    private static void assertLeftAlone(Assembled made) {
        assertThat(made.wrappedFile()).isSameAs(made.classFile());
    }

    private static boolean losesModifier(Assembled made) {
        int access = Assembled.access(made.wrappedFile(), "run");
        assertThat(made.classes().failed).hasValue(0);
        return (access & SYNCHRONIZED) == 0;
    }
}
