package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.instrument.ClassWrapper.Wrapped;
import io.vtagent.instrument.WrappedClasses.Change;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link ClassWrapper} makes of a class what {@link AsmWeaver} makes of it: the same instructions,
 * handlers in the same order, the same frames and tables. Methods without monitors are not touched.
 */
class SplicedLikeByAsmTest {
    /** For a long run: {@code -Dfuzzed.programs=1000000}, and another {@code -Dfuzzed.seed}. */
    private static final int PROGRAMS = Integer.getInteger("fuzzed.programs", 2_000);

    private static final long SEED = Long.getLong("fuzzed.seed", 1);

    /** So many classes of the module are wrapped at least. */
    private static final int MANY = 100;

    private static final int[] VERSIONS = {
        Opcodes.V1_2, Opcodes.V1_4, Opcodes.V1_5, Opcodes.V1_6, Opcodes.V1_8, Opcodes.V21
    };

    @ParameterizedTest
    @ValueSource(strings = {"java.base", "java.desktop"})
    void theClassesOfTheJdk(String module) throws IOException {
        Path classes = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module);
        try (Stream<Path> files = Files.walk(classes)) {
            long wrapped =
                    files.filter(file -> file.toString().endsWith(".class"))
                            .map(SplicedLikeByAsmTest::read)
                            .filter(SplicedLikeByAsmTest::compare)
                            .count();
            assertThat(wrapped).isGreaterThan(MANY);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void codeMadeAtRandom() {
        int wrapped = 0;
        for (int program = 0; program < PROGRAMS; program++) {
            Random random = new Random(SEED + program);
            random.nextInt();
            int version = VERSIONS[random.nextInt(VERSIONS.length)];
            boolean isStatic = random.nextInt(3) == 0;
            byte[] classFile =
                    AssembledClass.classFile(
                            version,
                            0,
                            List.of(),
                            writer -> RandomCode.write(random, writer, version, isStatic));
            wrapped += compare(classFile) ? 1 : 0;
        }
        assertThat(wrapped).isGreaterThan(PROGRAMS / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 250, 8_050, 33_000})
    void aBlockThatBeginsWhereTheRangeOfAnotherHandlerEnds(int bytes) {
        byte[] classFile = AssembledClass.classFile(Opcodes.V21, 0, List.of(), of(bytes));
        assertThat(compare(classFile)).isTrue();
    }

    /** A range that ends at the guard, and a switch and jumps over that many bytes. */
    private static Consumer<ClassWriter> of(int bytes) {
        return writer ->
                AssembledClass.method(
                        writer,
                        Opcodes.ACC_SYNCHRONIZED,
                        "run",
                        "(I)V",
                        code -> {
                            Label from = new Label();
                            Label start = new Label();
                            Label end = new Label();
                            Label handler = new Label();
                            Label caught = new Label();
                            Label goOn = new Label();
                            code.visitTryCatchBlock(from, start, caught, null);
                            code.visitTryCatchBlock(start, end, handler, null);
                            code.visitLabel(from);
                            code.visitLineNumber(bytes, from);
                            code.visitVarInsn(Opcodes.ALOAD, 0);
                            code.visitInsn(Opcodes.MONITORENTER);
                            code.visitLabel(start);
                            nothing(code, bytes);
                            code.visitVarInsn(Opcodes.ILOAD, 1);
                            code.visitLookupSwitchInsn(goOn, new int[] {7}, new Label[] {start});
                            code.visitLabel(goOn);
                            AssembledClass.release(code, end, handler);
                            code.visitVarInsn(Opcodes.ILOAD, 1);
                            code.visitJumpInsn(Opcodes.IFEQ, from);
                            code.visitInsn(Opcodes.RETURN);
                            code.visitLabel(caught);
                            code.visitInsn(Opcodes.ATHROW);
                        });
    }

    private static void nothing(MethodVisitor code, int bytes) {
        for (int i = 0; i < bytes; i++) {
            code.visitInsn(Opcodes.NOP);
        }
    }

    /** Returns whether the class is wrapped. */
    private static boolean compare(byte[] classFile) {
        Wrapped wrapped = ClassWrapper.atLoad(classFile);
        if (wrapped == null) {
            return false;
        }
        compare(classFile, wrapped.classFile(), wrapped.change());
        byte[] blocks = ClassWrapper.again(classFile, Change.NONE);
        if (blocks != null) {
            compare(classFile, blocks, Change.NONE);
        }
        return true;
    }

    private static void compare(byte[] classFile, byte[] spliced, Change change) {
        String name = new ClassReader(classFile).getClassName();
        byte[] woven = AsmWeaver.weave(classFile, change);
        if (!Arrays.equals(rewritten(spliced), rewritten(woven))) {
            Set<String> kept = Set.of(); // lists the blocks that stand for modifiers, too
            assertThat(CodeListing.of(spliced, kept))
                    .as(name)
                    .isEqualTo(CodeListing.of(woven, kept));
            throw new AssertionError(name + " differs in more than its code");
        }
        assertUntouched(name, classFile, spliced);
        assertUntouched(name, classFile, woven);
    }

    /** The methods without monitors have the bytes that they had. */
    private static void assertUntouched(String name, byte[] classFile, byte[] changed) {
        ParsedClass before = new ParsedClass(classFile);
        ParsedClass after = new ParsedClass(changed);
        BitSet monitors = MonitorMethodFinder.methodsWithMonitors(before);
        for (int method = 0; method < before.methodCount(); method++) {
            if (!monitors.get(method)) {
                assertThat(bytes(after, method))
                        .as("%s, method %d", name, method)
                        .isEqualTo(bytes(before, method));
            }
        }
    }

    private static byte[] bytes(ParsedClass parsed, int method) {
        int at = parsed.methodAt(method);
        return Arrays.copyOfRange(parsed.file, at, parsed.attributesEnd(at + 6));
    }

    /** Returns the class file as ASM encodes it, which depends only on what is in it. */
    private static byte[] rewritten(byte[] classFile) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile).accept(writer, 0);
        return writer.toByteArray();
    }
}
