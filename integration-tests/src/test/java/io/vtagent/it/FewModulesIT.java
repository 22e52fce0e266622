package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.AlreadyLoaded;
import io.vtagent.it.workload.ContendedMonitor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A JVM that has the modules which an agent cannot do without, and none that this one could use.
 */
final class FewModulesIT {
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whatIsMissingCostsASensorAndALineEach(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .vm("--limit-modules=java.base,java.instrument")
                        .agent("port=0,report=off,vm-events=on")
                        .main(AlreadyLoaded.class)
                        .awaitLine("running")
                        .proceed()
                        .awaitDone()) {
            jvm.awaitStderr(
                    line ->
                            line.startsWith(
                                    "[vt-agent] sensor vm is down: this JVM runs without the module"
                                            + " jdk.jfr"));
            Metrics metrics = jvm.metrics();

            assertThat(metrics.pins("kind", "park")).isEqualTo(jdk.monitorsPin() ? 5 : 1);
            assertThat(
                            metrics.all("vthread_agent_sensor_up")
                                    .filter(sample -> sample.value() == 0)
                                    .map(sample -> sample.label("sensor")))
                    .containsExactlyInAnyOrder("sampler", "vm");
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr())
                    .hasSize(3)
                    .anyMatch(
                            line ->
                                    line.contains(
                                            ", sampler is down (this JVM runs without the module"
                                                + " java.management, expected it or --add-modules"
                                                + " java.management)"));
        }
    }

    /** Without samples nothing else shows that the events are needed. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void withoutSamplesTheJvmsEventsBeginWithTheFirstVirtualThread(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm("--limit-modules=java.base,java.instrument,jdk.jfr")
                        .agent("port=0,report=off")
                        .main(ContendedMonitor.class, "hashtable", 4, 300)
                        .awaitLine("warm")) {
            jvm.awaitStderr(line -> line.contains(", vm once a virtual thread runs"));
            jvm.awaitSensor("vm").proceed().awaitDone();
            jvm.awaitMetrics(metrics -> metrics.pins("kind", "enter") == 4);
        }
    }
}
