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
 * The limits of length, depth and nesting up to which a method is wrapped: those of a class file,
 * and of HotSpot's compilers.
 */
class MethodLimitsTest {
    private static final int SYNCHRONIZED = Opcodes.ACC_SYNCHRONIZED;

    /** {@code HugeMethodLimit}. */
    private static final int MAX_COMPILED = 8_000;

    /** The limit of the code, of the stack, and of the handlers: what two bytes hold. */
    private static final int MAX = 0xFFFF;

    private static final int MAX_NESTED = 64;

    @Test
    void aMethodMayGrowUntilHotSpotWouldCompileItNoMore() {
        int added = addedTo(MAX_COMPILED / 2);
        AssembledClass compiled = synchronizedFor(MAX_COMPILED - added);
        AssembledClass tooLong = synchronizedFor(MAX_COMPILED - added + 1);

        assertThat(length(compiled.wrappedFile())).isEqualTo(MAX_COMPILED);
        assertLeftAlone(tooLong);
        assertThat(tooLong.classes().failed).hasValue(0);
    }

    @Test
    void aMethodThatIsNotCompiledMayGrowUntilTheClassFileHoldsItNoMore() {
        int added = addedTo(MAX / 2);
        AssembledClass fits = synchronizedFor(MAX - added);
        AssembledClass tooLong = synchronizedFor(MAX - added + 1);

        assertThat(length(fits.wrappedFile())).isEqualTo(MAX);
        assertThat(fits.wrapped()).as("verified").isNotNull();
        assertLeftAlone(tooLong);
        assertThat(tooLong.classes().failed).hasValue(1);
    }

    @Test
    void theLongestMethodThatThereCanBeLeavesTheOthersToBeWrapped() {
        AssembledClass made =
                AssembledClass.of(
                        writer -> {
                            AssembledClass.method(
                                    writer,
                                    Opcodes.ACC_PUBLIC,
                                    "longest",
                                    "()V",
                                    code -> {
                                        code.visitVarInsn(Opcodes.ALOAD, 0);
                                        code.visitInsn(Opcodes.MONITORENTER);
                                        code.visitVarInsn(Opcodes.ALOAD, 0);
                                        code.visitInsn(Opcodes.MONITOREXIT);
                                        returnAfter(code, MAX - 4);
                                    });
                            run(writer, code -> code.visitInsn(Opcodes.RETURN));
                        });
        assertThat(AssembledClass.access(made.wrappedFile(), "run") & SYNCHRONIZED).isZero();
    }

    @Test
    void theStackHasRoomForTheMonitorAndForTheValueThatWaitsForTheCall() {
        assertThat(losesModifier(withStack(MAX - 2))).isTrue();
        assertThat(losesModifier(withStack(MAX - 1))).isFalse();
    }

    @Test
    void theExceptionTableHasRoomForARangeBeforeEachReturnAndForTwoMore() {
        assertThat(losesModifier(withTwoReturns(MAX - 2 - 2))).isTrue();
        assertThat(losesModifier(withTwoReturns(MAX - 2 - 2 + 1))).isFalse();
    }

    @Test
    void blocksMayBeNestedDeeperThanPeopleWriteThem() {
        assertThat(losesModifier(made(code -> nested(code, MAX_NESTED)))).isTrue();
        assertThat(losesModifier(made(code -> nested(code, MAX_NESTED + 1)))).isFalse();
    }

    private static AssembledClass synchronizedFor(int bytes) {
        return made(code -> returnAfter(code, bytes));
    }

    /** So many bytes of code, of which the last returns. */
    private static void returnAfter(MethodVisitor code, int bytes) {
        for (int i = 1; i < bytes; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.RETURN);
    }

    /**
     * Returns a method with a stack as deep as the class file declares, not as the code needs it.
     */
    private static AssembledClass withStack(int depth) {
        byte[] classFile = made(code -> code.visitInsn(Opcodes.RETURN)).classFile();
        int at = code(new ParsedClass(classFile)).at;
        classFile[at] = (byte) (depth >> 8);
        classFile[at + 1] = (byte) depth;
        return AssembledClass.of(classFile);
    }

    private static AssembledClass withTwoReturns(int handlers) {
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

    private static AssembledClass made(Consumer<MethodVisitor> code) {
        return AssembledClass.of(Opcodes.V1_5, 0, List.of(), writer -> run(writer, code));
    }

    private static void run(ClassWriter writer, Consumer<MethodVisitor> code) {
        AssembledClass.method(writer, Opcodes.ACC_PUBLIC | SYNCHRONIZED, "run", "()V", code);
    }

    /** Returns how many bytes wrapping adds to the code of a method of that length. */
    private static int addedTo(int bytes) {
        return length(synchronizedFor(bytes).wrappedFile()) - bytes;
    }

    /** Returns the length of the code of {@code run}. */
    private static int length(byte[] classFile) {
        return code(new ParsedClass(classFile)).length;
    }

    private static MethodCode code(ParsedClass parsed) {
        int last = parsed.methodCount() - 1;
        return new MethodCode(parsed, parsed.codeOf(last));
    }

    private static void assertLeftAlone(AssembledClass made) {
        assertThat(made.wrappedFile()).isSameAs(made.classFile());
    }

    private static boolean losesModifier(AssembledClass made) {
        int access = AssembledClass.access(made.wrappedFile(), "run");
        assertThat(made.classes().failed).hasValue(0);
        return (access & SYNCHRONIZED) == 0;
    }
}
