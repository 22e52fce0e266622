package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.NativeFrames;
import io.vtagent.it.workload.SharedMonitor;
import io.vtagent.it.workload.TimedWaits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A flag of the JVM, not its version, decides what pins. */
@Tag("long")
final class PinningModesIT {

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whereVirtualThreadsHaveNoCarriersTheAgentLogsThatAndReportsNothing(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations")
                        .agent()
                        .main(TimedWaits.class, 8, 20)
                        .awaitDone()) {
            Metrics metrics = jvm.metrics();

            assertThat(jvm.stderr()).hasSize(1).allMatch(line -> line.contains("have no carriers"));
            assertThat(metrics.pins()).isZero();
            assertThat(metrics.all("vthread_agent_sensor_up")).isEmpty();
            assertThat(metrics.value("vthread_agent_classes_total", "outcome", "transformed"))
                    .isZero();
            assertThat(jvm.end()).isZero();
        }
    }

    /** Where the JVM still has the flag, as 24 and 25 do. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#withLockingModes")
    void withStackLocksMonitorsPinThoughTheyWouldNotByDefault(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm("-XX:LockingMode=1")
                        .agent()
                        .main(SharedMonitor.class, "block", 60, 5)
                        .awaitLine("warm")) {
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics();

            assertThat(metrics.pins("kind", "park", "reason", "monitor"))
                    .isGreaterThanOrEqualTo(60);
            assertThat(metrics.pins("kind", "enter", "reason", "monitor")).isPositive();
            assertThat(metrics.sites("park")).containsKey(jvm.fact("site"));
            assertThat(metrics.value("vthread_agent_sensor_up", "sensor", "enter")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#withLockingModes")
    void withStackLocksWaitsHoldTheirCarriersToo(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm("-XX:LockingMode=1")
                        .agent()
                        .main(TimedWaits.class, 8, 20)
                        .awaitDone()) {
            assertThat(jvm.metrics().pins("kind", "wait", "reason", "monitor")).isEqualTo(8);
        }
    }

    /**
     * Then virtual threads are as fast as without an agent; nothing in this agent may depend on the
     * notifications of JVMTI.
     */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whereJvmtiIsNotNotifiedOfMountsEverythingIsFoundAllTheSame(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm(
                                "-XX:+UnlockExperimentalVMOptions",
                                "-XX:-DoJVMTIVirtualThreadTransitions",
                                "-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0,report=off,relief=on")
                        .main(NativeFrames.class, "park", 100)
                        .awaitLine("warm")) {
            Metrics before = jvm.metrics();
            jvm.proceed();
            Metrics metrics = jvm.awaitDone().metrics();

            assertThat(metrics.since(before).pins("kind", "park", "reason", "native")).isEqualTo(1);
            assertThat(metrics.all("vthread_agent_sensor_up"))
                    .filteredOn(up -> !up.labels().containsValue("vm")) // it may not have begun
                    .isNotEmpty()
                    .allMatch(up -> up.value() == 1);
        }
    }
}
