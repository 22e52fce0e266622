package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ClosedScheduler;
import io.vtagent.it.workload.QueuedThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The scheduler's figures, which the JDK itself publishes since 24. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class SchedulerIT {
    private static final int CARRIERS = 4;
    private static final int MAX_CARRIERS = 6;
    private static final int QUEUED = 7;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void carriersAndTheirQueueAreReportedWhileAllOfThemAreHeldAndTheJvmsEventsNeedNone() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm("-Djdk.virtualThreadScheduler.maxPoolSize=" + MAX_CARRIERS)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0,report=off,vm-events=on")
                        .main(QueuedThreads.class, CARRIERS, QUEUED)
                        .proceed()
                        .awaitLine("held")
                        .awaitSensor("vm")) {
            Metrics held =
                    jvm.awaitMetrics(metrics -> metrics.value("vthread_carriers_held") == CARRIERS);
            assertThat(held.value("vthread_carriers_parallelism")).isEqualTo(CARRIERS);
            assertThat(held.value("vthread_carriers_size")).isEqualTo(CARRIERS);
            assertThat(held.value("vthread_carriers_max")).isEqualTo(MAX_CARRIERS);
            assertThat(held.value("vthread_scheduler_queued")).isZero();

            jvm.proceed().awaitLine("queued");
            Metrics queued = jvm.metrics();
            assertThat(queued.value("vthread_scheduler_queued")).isEqualTo(QUEUED);
            assertThat(queued.value("vthread_carriers_held")).isEqualTo(CARRIERS);

            jvm.proceed().awaitDone();
            Metrics after =
                    jvm.awaitMetrics(metrics -> metrics.value("vthread_carriers_held") == 0);
            assertThat(after.value("vthread_scheduler_queued")).isZero();
            assertThat(after.value("vthread_submit_failed_total")).isZero();
        }
    }

    @Test
    void everyThreadThatTheSchedulerRefusesIsCountedButForTheAgents() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("--add-opens", "java.base/java.lang=ALL-UNNAMED")
                        .agent("port=0,report=off,delay-probe=10ms,vm-events=on")
                        .main(ClosedScheduler.class, 3)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            assertThat(jvm.number("refused")).isEqualTo(3);
            // the agent has tried over and over meanwhile
            double refusedAtNanos = jvm.endpoint().report().get("uptimeNanos").number();
            assertThat(
                            jvm.awaitUptime(refusedAtNanos + 1e9)
                                    .metrics()
                                    .value("vthread_submit_failed_total"))
                    .isEqualTo(3);
        }
    }
}
