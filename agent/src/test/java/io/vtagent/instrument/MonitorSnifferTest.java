package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MonitorSnifferTest {
    private static final int MANY = 5_000;

    @Test
    void findsInTheClassesOfTheJdkTheMethodsWhereAsmSeesMonitors() throws IOException {
        int withMonitors = 0;
        for (Path classFile : classesOfJavaBase()) {
            byte[] bytes = Files.readAllBytes(classFile);
            BitSet expected = seenByAsm(bytes);
            assertThat(MonitorSniffer.methodsWithMonitors(bytes))
                    .as(classFile.toString())
                    .isEqualTo(expected);
            withMonitors += expected.isEmpty() ? 0 : 1;
        }
        assertThat(withMonitors).isBetween(100, MANY / 2);
    }

    @Test
    void refusesAClassFileThatIsCutOff() throws IOException {
        byte[] bytes = Files.readAllBytes(classesOfJavaBase().get(0));

        assertThatThrownBy(() -> MonitorSniffer.methodsWithMonitors(Arrays.copyOf(bytes, bytes.length / 2)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static List<Path> classesOfJavaBase() throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> classes =
                    files.filter(file -> file.toString().endsWith(".class")).toList();
            assertThat(classes).hasSizeGreaterThan(MANY);
            return classes;
        }
    }

    private static BitSet seenByAsm(byte[] classFile) {
        BitSet found = new BitSet();
        ClassVisitor methods = new ClassVisitor(Opcodes.ASM9) {
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
        new ClassReader(classFile).accept(methods, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return found;
    }
}
