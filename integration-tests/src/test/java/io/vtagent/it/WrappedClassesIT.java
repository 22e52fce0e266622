package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.HotMethods;
import io.vtagent.it.workload.SynchronizedShapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A class that is wrapped does what it did before, at the speed that it had. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
final class WrappedClassesIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void everyShapeOfSynchronizedDoesWhatItDidAndReleasesItsMonitors() {
        // C2 drops message and stack of what hot code throws again and again
        // (GraphKit::builtin_throw)
        String keepStacks = "-XX:-OmitStackTraceInFastThrow";
        try (ForkedJvm plain = on().vm(keepStacks).main(SynchronizedShapes.class).awaitDone();
                ForkedJvm wrapped =
                        on().vm(keepStacks).agent().main(SynchronizedShapes.class).awaitDone()) {
            assertThat(plain.number("different") + plain.number("held")).isZero();
            assertThat(plain.number("entered")).isPositive();
            assertThat(wrapped.stdout()).isEqualTo(plain.stdout());
            Metrics metrics = wrapped.metrics();
            assertThat(metrics.value("vthread_agent_classes_total", "outcome", "transformed"))
                    .isGreaterThan(10);
            assertThat(metrics.value("vthread_agent_classes_total", "outcome", "failed")).isZero();
        }
    }

    @Test
    void hotMethodsAreStillCompiledByTheLastCompiler(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("compilations");
        // not on stdout, where the JVM would write in the middle of a line of the workload
        String[] printCompilations = {
            "-Xbatch",
            "-XX:+PrintCompilation",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-DisplayVMOutput",
            "-XX:+LogVMOutput",
            "-XX:LogFile=" + log
        };
        try (ForkedJvm jvm = on().vm(printCompilations).agent().main(HotMethods.class, 100_000)) {
            assertThat(
                            jvm.awaitDone()
                                    .metrics()
                                    .value("vthread_agent_classes_total", "outcome", "transformed"))
                    .isPositive();
            jvm.end();
        }
        List<String> compilations = Files.readAllLines(log);
        for (String method : List.of("hotMethod", "hotBlock", "hotLoop")) {
            String name = HotMethods.class.getName() + "::" + method + " ";
            // time, number, flags, level, method
            assertThat(compilations)
                    .anyMatch(line -> line.matches(".* 4 +\\Q" + name + "\\E.*\\)"));
            assertThat(compilations)
                    .noneMatch(line -> line.contains(name) && line.contains("COMPILE SKIPPED"));
            assertThat(compilations)
                    .noneMatch(line -> line.contains(name) && line.contains("made not compilable"));
        }
    }

    private ForkedJvm.Launch on() {
        return ForkedJvm.on(jdk).carriers(8).vm("-Xverify:all");
    }
}
