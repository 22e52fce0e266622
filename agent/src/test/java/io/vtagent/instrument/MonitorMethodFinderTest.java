package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MonitorMethodFinderTest {
    private static final int MANY = 5_000;

    @Test
    void findsInTheClassesOfTheJdkTheMethodsWhereAsmSeesMonitors() throws IOException {
        int withMonitors = 0;
        for (Path classFile : classesOfJavaBase()) {
            byte[] bytes = Files.readAllBytes(classFile);
            BitSet expected = seenByAsm(bytes);
            assertThat(sniff(bytes)).as(classFile.toString()).isEqualTo(expected);
            withMonitors += expected.isEmpty() ? 0 : 1;
        }
        assertThat(withMonitors).isBetween(100, MANY / 2);
    }

    @Test
    void refusesAClassFileThatIsCutOff() throws IOException {
        byte[] bytes = Files.readAllBytes(classesOfJavaBase().get(0));

        assertThatThrownBy(() -> sniff(Arrays.copyOf(bytes, bytes.length / 2)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesASwitchThatLeadsBack() {
        byte[] bytes = withSwitch();
        // the lowest key, then the highest
        int keys = indexOf(new byte[] {1, 2, 3, 9, 1, 2, 3, 9}, bytes);
        bytes[keys + 7] = 4;

        assertThatThrownBy(() -> sniff(bytes)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void findsMonitorsWhereTheConstantCodeIsThereTwice() throws IOException {
        byte[] bytes;
        try (InputStream file =
                Collections.class.getResourceAsStream("Collections$SynchronizedMap.class")) {
            bytes = Objects.requireNonNull(file).readAllBytes();
        }
        int end = new ClassReader(bytes).header;
        byte[] code = {1, 0, 4, 'C', 'o', 'd', 'e'};
        byte[] twice =
                ByteBuffer.allocate(bytes.length + code.length)
                        .put(bytes, 0, end)
                        .put(code)
                        .put(bytes, end, bytes.length - end)
                        .putShort(8, (short) (ByteBuffer.wrap(bytes).getShort(8) + 1))
                        .array();

        assertThat(sniff(twice)).isEqualTo(seenByAsm(bytes)).isNotEqualTo(new BitSet());
    }

    private static BitSet sniff(byte[] classFile) {
        return MonitorMethodFinder.methodsWithMonitors(new ParsedClass(classFile));
    }

    private static byte[] withSwitch() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V21, 0, "Switch", null, "java/lang/Object", null);
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, "on", "(I)V", null, null);
        Label end = new Label();
        method.visitVarInsn(Opcodes.ILOAD, 0);
        method.visitTableSwitchInsn(0x01020309, 0x01020309, end, end);
        method.visitLabel(end);
        method.visitInsn(Opcodes.ACONST_NULL);
        method.visitInsn(Opcodes.MONITORENTER);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(1, 1);
        return writer.toByteArray();
    }

    private static int indexOf(byte[] part, byte[] whole) {
        for (int at = 0; at <= whole.length - part.length; at++) {
            if (Arrays.equals(whole, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new AssertionError("it is not there");
    }

    private static List<Path> classesOfJavaBase() throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> classes = files.filter(file -> file.toString().endsWith(".class")).toList();
            assertThat(classes).hasSizeGreaterThan(MANY);
            return classes;
        }
    }

    private static BitSet seenByAsm(byte[] classFile) {
        BitSet found = new BitSet();
        ClassVisitor methods =
                new ClassVisitor(Opcodes.ASM9) {
                    private int visited;

                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        int method = visited++;
                        found.set(method, (access & Opcodes.ACC_SYNCHRONIZED) != 0);
                        return new MethodVisitor(Opcodes.ASM9) {
                            @Override
                            public void visitInsn(int opcode) {
                                if (opcode == Opcodes.MONITORENTER) {
                                    found.set(method);
                                }
                            }
                        };
                    }
                };
        new ClassReader(classFile)
                .accept(methods, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return found;
    }
}
