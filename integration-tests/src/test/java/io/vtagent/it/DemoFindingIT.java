package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.text.Sample;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The demo's case of which tool finds which pins, in small. */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DemoFindingIT {
    private static final String DEMO = "io.vtagent.demo.finding.";

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void flightRecorderMissesWhatTheAgentSeesOfTheSameRun() {
        try (DemoRun run = run("finding", "jfr", 3, 40)) {
            Metrics metrics = run.metrics();
            if (jdk.monitorsPin()) {
                assertThat(run.figure("sleeps of 40 ms in a monitor, %")).isGreaterThan(50);
                assertThat(run.figure("sleeps of 5 ms in a monitor, %"))
                        .isLessThan(run.figure("sleeps of 40 ms in a monitor, %"));
                assertThat(run.figure("waits to enter a monitor, %")).isZero();
                assertThat(run.figure("Object.wait, %")).isZero();
                assertThat(run.figure("a sleep that has not ended, %")).isZero();
                assertThat(metrics.heldSeconds("kind", "enter")).isPositive();
                assertThat(metrics.heldSeconds("kind", "wait")).isPositive();
                assertThat(metrics.active("park")).isEqualTo(1);
            } else {
                // and the other way round
                if (jdk.unmountsWaitersForInitializers()) {
                    assertThat(run.figure("waits for that initializer, %")).isZero();
                } else {
                    assertThat(run.figure("waits for that initializer, %")).isGreaterThan(80);
                }
                assertThat(metrics.pins("kind", "park", "reason", "class_init")).isEqualTo(1);
            }
        }
    }

    @Test
    void theAgentFindsEverySortOfPin() throws IOException {
        String workload = DEMO + "PinnedWorkload";
        try (DemoRun run = run("finding", "vt-agent", 3, 40)) {
            Metrics metrics = run.metrics();

            assertThat(
                            secondsAt(
                                            metrics,
                                            "park",
                                            workload + "$SleepsWhenInitialized.<clinit>:")
                                    / run.figure("sleep in a class initializer"))
                    .isBetween(0.5, 1.1);
            if (jdk.monitorsPin()) {
                assertThat(metrics.heldSeconds("kind", "wait") / run.figure("Object.wait"))
                        .isBetween(0.5, 1.1);
                assertThat(
                                secondsAt(metrics, "enter", workload + ".enters:")
                                        / run.figure("waits to enter a monitor"))
                        .isBetween(0.5, 1.1);
                assertThat(metrics.sites("park").keySet())
                        .contains(
                                workload
                                        + ".sleepsLong:"
                                        + DemoRun.lineOf(
                                                "finding/PinnedWorkload.java",
                                                "time(Sort.LONG_SLEEP"));
            }
        }
    }

    private static double secondsAt(Metrics metrics, String kind, String site) {
        return metrics.all("vthread_pinned_site_seconds_sum", "kind", kind)
                .filter(sample -> sample.label("site").startsWith(site))
                .mapToDouble(Sample::value)
                .sum();
    }

    @Test
    void asyncProfilerSeesWhatIsOnACarrier() {
        try (DemoRun run = run("finding", "async-profiler", 3, 40)) {
            assertThat(run.figure("sleep in a class initializer, %")).isBetween(20.0, 200.0);
        }
    }

    @Test
    void micrometerCountsTheLongPinsOnly() {
        try (DemoRun run = run("finding", "micrometer", 3, 40)) {
            if (jdk.monitorsPin()) {
                assertThat(run.figure("found, %")).isPositive().isLessThan(100);
            } else {
                assertThat(run.figure("found, %")).isPositive();
            }
        }
    }

    @Test
    void tracedStacksHaveNoDurationsAndAreGoneWhereMonitorsDoNotPin() {
        try (DemoRun run = run("finding", "trace-pinned-threads", 3, 40)) {
            assertThat(run.figure("found, %")).isZero();
            assertThat(run.result().notes())
                    .hasSize(1)
                    .first()
                    .asString()
                    .endsWith(
                            jdk.monitorsPin()
                                    ? " stacks to the standard output, and no durations: sleeps of"
                                            + " 40 ms in a monitor, sleeps of 5 ms in a monitor,"
                                            + " sleep in a class initializer, a sleep that has not"
                                            + " ended."
                                    : "It printed nothing.");
        }
    }

    private DemoRun run(String demoCase, String variant, int tasks, int latencyMillis) {
        return DemoRun.of(jdk, demoCase, variant, tasks, latencyMillis);
    }
}
