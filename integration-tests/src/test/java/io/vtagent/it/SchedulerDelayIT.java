package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.HeldCarriers;
import io.vtagent.it.workload.Logging;
import io.vtagent.it.workload.QueuedThreads;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The delay until a virtual thread starts to run; its measurement disturbs nothing. */
final class SchedulerDelayIT {
    private static final int CARRIERS = 4;
    private static final int QUEUED = 7;
    private static final String DELAYS = "vthread_scheduler_delay_seconds";
    private static final String CURRENT = "vthread_scheduler_delay_current_seconds";

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whileVirtualThreadsRunDelaysAreMeasuredOverAndOver(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "10ms,histogram=on").main(QueuedThreads.class, CARRIERS, 0)) {
            Metrics metrics = jvm.awaitMetrics(now -> now.value(DELAYS + "_count") >= 20);

            assertThat(metrics.value(DELAYS + "_max")).isPositive();
            assertThat(metrics.value(DELAYS + "_sum"))
                    .isGreaterThanOrEqualTo(metrics.value(DELAYS + "_max"));
            assertThat(metrics.value(DELAYS + "_bucket", "le", "+Inf"))
                    .isEqualTo(metrics.value(DELAYS + "_count"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whileEveryCarrierIsHeldTheDelaySoFarIsReportedAndAllOfItAfterwards(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "10ms")
                        .main(QueuedThreads.class, CARRIERS, 0)
                        .proceed()
                        .awaitLine("held")) {
            delayIsToldWhileItLastsAndNobodyStarves(jvm);
            jvm.proceed().awaitLine("queued").proceed().awaitDone();
            theDelayIsToldAfterwards(jvm);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void theSameInMonitors(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "10ms").main(HeldCarriers.class, CARRIERS, 0, 0).awaitLine("held")) {
            delayIsToldWhileItLastsAndNobodyStarves(jvm);
            jvm.proceed().awaitDone();
            theDelayIsToldAfterwards(jvm);
        }
    }

    private static void delayIsToldWhileItLastsAndNobodyStarves(ForkedJvm jvm) {
        Metrics first = jvm.awaitMetrics(now -> now.value(CURRENT) > 0.5);
        Metrics metrics = jvm.awaitMetrics(now -> now.value(CURRENT) > 2);

        assertThat(metrics.value(DELAYS + "_count"))
                .as("one at a time")
                .isEqualTo(first.value(DELAYS + "_count"));
        assertThat(metrics.value("vthread_carriers_held")).isEqualTo(CARRIERS);
        assertThat(metrics.value("vthread_scheduler_queued")).isZero();
        assertThat(metrics.value("vthread_carriers_starved_seconds_count")).isZero();
        assertThat(jvm.stderr()).as("no diagnosis").hasSize(1);
    }

    private static void theDelayIsToldAfterwards(ForkedJvm jvm) {
        Metrics after = jvm.awaitMetrics(now -> now.value(DELAYS + "_max") > 2);
        assertThat(after.value(DELAYS + "_sum")).isGreaterThan(2);
        Json delay = jvm.endpoint().report().get("schedulerDelay");
        assertThat(delay.get("longestNanos").number()).isGreaterThan(2e9);
        assertThat(delay.get("nanos").number())
                .isGreaterThanOrEqualTo(delay.get("longestNanos").number());
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void queuedThreadsStarveAndTheAgentsOwnThreadIsNotAmongThem(Jdk jdk) {
        try (ForkedJvm jvm =
                on(jdk, "10ms")
                        .main(QueuedThreads.class, CARRIERS, QUEUED)
                        .proceed()
                        .awaitLine("held")) {
            jvm.awaitMetrics(now -> now.value(CURRENT) > 0.1);
            jvm.proceed().awaitLine("queued");
            String verdict = jvm.awaitStderr(line -> line.contains("with work queued"));

            assertThat(verdict)
                    .containsPattern(
                            Pattern.compile("while " + QUEUED + " virtual threads wait for one"));
            Json diagnosis = jvm.endpoint().report().get("starved").get("diagnosis");
            assertThat(diagnosis.get("queued").number()).isEqualTo(QUEUED);
            assertThat(diagnosis.get("queuedThreads").list())
                    .hasSize(QUEUED)
                    .allSatisfy(thread -> assertThat(thread.string()).startsWith("\"task-"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void withoutVirtualThreadsInTheApplicationThereIsNoneAndNoCarrierAndNoFlightRecorder(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "10ms,vm-events=on").main(Logging.class).awaitDone()) {
            Metrics metrics = jvm.awaitUptime(3e9).metrics();

            assertThat(metrics.value(DELAYS + "_count")).isZero();
            assertThat(metrics.value(CURRENT)).isZero();
            assertThat(metrics.value("vthread_carriers_size")).isZero();
            assertThat(metrics.value("vthread_agent_sensor_up", "sensor", "vm")).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void switchedOffThereIsNoSuchMeter(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk, "off").main(QueuedThreads.class, CARRIERS, 0)) {
            assertThat(jvm.metrics().text()).doesNotContain("vthread_scheduler_delay");
            assertThat(jvm.endpoint().report().get("schedulerDelay").value()).isNull();
        }
    }

    private static ForkedJvm.Launch on(Jdk jdk, String period) {
        return ForkedJvm.on(jdk)
                .carriers(CARRIERS)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                .agent("port=0,report=off,starvation-after=1s,delay-probe=" + period);
    }
}
