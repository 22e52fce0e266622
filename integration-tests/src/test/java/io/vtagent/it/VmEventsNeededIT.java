package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.reference.JdkCase;
import io.vtagent.it.reference.JdkCases;
import io.vtagent.it.workload.AwaitedInitializer;
import io.vtagent.it.workload.ManyParks;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The JVM's events, which cost a second of CPU time, begin when there is something that they would
 * report.
 */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class VmEventsNeededIT {
    private static final int THREADS = 4;
    private static final int MILLIS = 1_000;

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @Test
    void whereTheSensorsNoticeAllThatHoldsCarriersTheyNeverBegin() {
        String how = jdk.monitorsPin() ? "monitor" : "native";
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent()
                        .main(ManyParks.class, how, 1_000)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            assertThat(List.of(jvm.fact("threads").split(",", -1)))
                    .contains("vt-agent-watch")
                    .noneMatch(name -> name.startsWith("JFR") || name.startsWith("vt-agent-vm"));
            assertThat(jvm.metrics().all("vthread_agent_sensor_up"))
                    .noneMatch(sample -> "vm".equals(sample.labels().get("sensor")));
        }
    }

    /** Where monitors do not pin, no hook knows whether a class loader was called by the JVM. */
    @Test
    void waitsInAClassLoaderThatTheJvmHasCalledHaveThemBeginWhereNothingElseReports() {
        String loader = JdkCase.WAITING_LOADER.name();
        String reason = jdk.monitorsPin() ? "monitor" : "critical_section";
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm("--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent()
                        .main(JdkCases.class, MILLIS, loader)
                        .awaitLine("warm")) {
            if (!jdk.monitorsPin()) { // what it has warmed up with was worth it
                jvm.awaitSensor("vm");
            }
            Metrics before = jvm.metrics();
            jvm.proceed().awaitLine(loader + " done");
            double reference = jvm.number(loader + ".reference") / 1e9;
            jvm.awaitMetrics(
                    metrics ->
                            metrics.since(before).heldSeconds("kind", "wait", "reason", reason)
                                    > 0.85 * reference);
            assertThat(jvm.metrics().since(before).heldSeconds("kind", "wait", "reason", reason))
                    .isLessThan(1.1 * reference);
        }
    }

    /** As a service's first requests do, for a second in all on a crowded machine. */
    @Test
    void forAShortWaitTheyDoNotBegin() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .agent()
                        .main(AwaitedInitializer.class, THREADS, 250, "name")
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            Metrics counted =
                    jvm.awaitMetrics(metrics -> metrics.heldSeconds("kind", "class_init") > 0.5);
            assertThat(counted.all("vthread_agent_sensor_up"))
                    .noneMatch(sample -> "vm".equals(sample.labels().get("sensor")));
        }
    }

    @Test
    void whatTheyWouldReportIsCountedBeforeTheyBeginAndHasThemBegin() {
        Path file = folder.resolve("report.json");
        FinalReport report;
        double waited;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .agent("port=0,report=" + file)
                        .main(AwaitedInitializer.class, THREADS, MILLIS, "name")
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()
                        .awaitSensor("vm")) {
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file);
        }
        assertThat(report.pins("class_init", "class_init")).isEqualTo(THREADS);
        // until then they are sampled, and on a busy machine samples come late
        assertThat(report.heldSeconds("class_init") / waited).isBetween(0.5, 1.1);
    }
}
