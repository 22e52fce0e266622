package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Exiting;
import io.vtagent.it.workload.Logging;
import io.vtagent.it.workload.OwnLogManager;
import io.vtagent.it.workload.TimedWaits;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The application starts as it would without the agent, except for one line. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class QuietStartIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void loggingIsNotBroughtUpBeforeMainSoThatTheApplicationCanReplaceTheLogManager() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Djava.util.logging.manager=" + OwnLogManager.class.getName())
                        .agent()
                        .main(Logging.class)
                        .awaitDone()) {
            assertThat(jvm.fact("before")).isEqualTo("not initialized");
            assertThat(jvm.fact("manager")).isEqualTo(OwnLogManager.class.getName());
            assertThat(jvm.endpoint().get("/healthz", "*/*").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void oneLineIsPrintedAndNothingElse() {
        try (ForkedJvm jvm = ForkedJvm.on(jdk).agent().main(Logging.class).awaitDone()) {
            jvm.metrics();
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr())
                    .hasSize(1)
                    .allMatch(line -> line.startsWith("[vt-agent] "))
                    .allMatch(line -> line.contains(", io, sampler, vm when needed; http"));
            // the JVM's own warnings, such as that class data cannot be shared, go to stdout
            assertThat(jvm.stdout()).hasSize(3);
        }
    }

    @Test
    void theReportFollowsAtTheEnd() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .agent("port=off")
                        .main(TimedWaits.class, 4, 20)
                        .awaitDone()
                        .awaitBegun()) {
            assertThat(jvm.end()).isZero();
            List<String> lines = jvm.stderr();
            if (jdk.monitorsPin()) {
                assertThat(lines.get(1)).startsWith("[vt-agent] Pinning");
                int first = firstOf(lines, "[vt-agent] carriers were held for ");
                assertThat(lines.get(first)).contains(" by 4 pins ");
                assertThat(lines.get(first + 1)).startsWith("  JDK " + jdk.feature() + ".");
                assertThat(lines).anyMatch(line -> line.startsWith("  wait, monitor"));
                assertThat(lines)
                        .allMatch(line -> line.startsWith("[vt-agent] ") || line.startsWith("  "));
                assertThat(lines)
                        .anyMatch(
                                line ->
                                        line.contains(
                                                "=> at "
                                                        + TimedWaits.class.getName()
                                                        + ".waitIn("));
                assertThat(lines).anyMatch(line -> line.endsWith("<== monitor: java.lang.Object"));
            } else {
                assertThat(lines).hasSize(2);
                assertThat(lines.get(1))
                        .startsWith("[vt-agent] no virtual thread held its carrier");
            }
        }
    }

    @Test
    void withLogOffAndTheReportInAFileNothingIsPrinted(@TempDir Path folder) {
        Path report = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .agent("port=off,log=off,report=" + report)
                        .main(Exiting.class, 7)) {
            assertThat(jvm.end()).isEqualTo(7);
            assertThat(jvm.stderr()).isEmpty();
            assertThat(jvm.stdout()).containsExactly("slept=2");
            assertThat(report).exists();
        }
    }

    private static int firstOf(List<String> lines, String start) {
        for (int index = 0; index < lines.size(); index++) {
            if (lines.get(index).startsWith(start)) {
                return index;
            }
        }
        throw new AssertionError("no line begins with \"" + start + "\": " + lines);
    }
}
