package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A class that cannot be wrapped: its method is as long as a method can be, and there is no place
 * for a call more.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
final class UnwrappableClassIT {
    /** {@code n++} takes three bytes of at most 65,535. */
    private static final int INCREMENTS = 21_840;

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @Test
    void isLoadedAsItWasAndCountedAsFailedAndNamedAtDebug() throws IOException {
        compile();
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .agent("port=0,report=off,log=debug")
                        .classPath(folder)
                        .main("Full")
                        .awaitDone()) {
            assertThat(jvm.number("counted")).isEqualTo(INCREMENTS);
            assertThat(jvm.fact("synchronized")).isEqualTo("true");
            assertThat(jvm.metrics().value("vthread_agent_classes_total", "outcome", "failed"))
                    .isEqualTo(1);
            assertThat(jvm.stderr())
                    .anyMatch(line -> line.startsWith("[vt-agent] ") && line.contains(" Full "));
        }
    }

    @Test
    void isNotMentionedOtherwise() throws IOException {
        compile();
        try (ForkedJvm jvm = ForkedJvm.on(jdk).agent().classPath(folder).main("Full").awaitDone()) {
            assertThat(jvm.metrics().value("vthread_agent_classes_total", "outcome", "failed"))
                    .isEqualTo(1);
            assertThat(jvm.stderr()).hasSize(1);
        }
    }

    private void compile() throws IOException {
        Path source = folder.resolve("Full.java");
        Files.writeString(
                source,
                """
                public class Full {
                    static synchronized int count(int n) {
                        %s
                        return n;
                    }
                    public static void main(String[] arguments) throws Exception {
                        System.out.println("counted=" + count(0));
                        System.out.println("synchronized=" + java.lang.reflect.Modifier.isSynchronized(
                                Full.class.getDeclaredMethod("count", int.class).getModifiers()));
                        System.out.println("done");
                        System.in.read();
                    }
                }
                """
                        .formatted("n++;".repeat(INCREMENTS)));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options =
                List.of("--release", "21", "-d", folder.toString(), source.toString());
        assertThat(compiler.run(null, null, null, options.toArray(new String[0]))).isZero();
    }
}
