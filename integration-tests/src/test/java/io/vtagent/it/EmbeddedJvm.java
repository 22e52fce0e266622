package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.AlreadyLoaded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Pstress}: the JVM is made by native code, not by {@code java}. Needs a C compiler, {@code
 * cc}.
 */
final class EmbeddedJvm {
    private static final Path SOURCE = Path.of("src/test/native/embeds-jvm.c");

    /**
     * Returns the JDKs that use this machine's C library; Debian's come with one of their own since
     * 26.
     */
    static List<Jdk> ofThisMachinesLibrary() {
        return List.of(Jdks.jdk21(), Jdks.jdk25());
    }

    @ParameterizedTest
    @MethodSource("ofThisMachinesLibrary")
    void theAgentWorksAsInAnyOther(Jdk jdk, @TempDir Path folder) throws Exception {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .through(compiled(folder).toString())
                        .carriers(2)
                        .agent()
                        .main(AlreadyLoaded.class)
                        .awaitLine("running")
                        .proceed()
                        .awaitDone()) {
            Metrics metrics = jvm.metrics();
            assertThat(
                            metrics.all("vthread_agent_sensor_up")
                                    .filter(sample -> !sample.label("sensor").equals("vm")))
                    .isNotEmpty()
                    .allMatch(sample -> sample.value() == 1);
            // 2 and 2 sleep in a monitor, of which the first may have to wait to enter it, and 1 in
            // a class initializer
            assertThat(metrics.pins("kind", "park")).isEqualTo(jdk.monitorsPin() ? 5 : 1);
        }
    }

    private static Path compiled(Path folder) throws IOException, InterruptedException {
        Path headers = Jdks.jdk25().home().resolve("include");
        Path program = folder.resolve("embeds-jvm");
        Process compiler =
                new ProcessBuilder(
                                "cc",
                                "-I" + headers,
                                "-I" + headers.resolve("linux"),
                                "-o",
                                program.toString(),
                                SOURCE.toString(),
                                "-ldl")
                        .inheritIO()
                        .start();
        assertThat(compiler.waitFor()).as("cc, which compiles %s", SOURCE).isZero();
        return program;
    }
}
