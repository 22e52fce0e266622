package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.EndingSpareCarriers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Idle carriers end with the agent as they do without it. Up to JDK 23 a thread that selects holds
 * its carrier, so what ends may be what the scheduler added to compensate, and then no virtual
 * thread runs any more.
 */
@Tag("long")
final class IdleCarriersIT {
    private static final int CARRIERS = 2;
    private static final int KEEP_ALIVE_MILLIS = 300;

    /** Some times the keep-alive: idle carriers end one after the other. */
    private static final int IDLE_MILLIS = 3_000;

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void idleCarriersEndWithTheAgentAsWithoutIt(Jdk jdk) {
        boolean[] runs = new boolean[2];
        int[] sizes = new int[2];
        for (int with = 0; with < 2; with++) {
            ForkedJvm.Launch launch = on(jdk);
            if (with == 1) {
                launch.agent("port=off,report=off,delay-probe=10ms");
            }
            try (ForkedJvm jvm = idle(launch)) {
                sizes[with] = (int) jvm.number("size");
                runs[with] = Boolean.parseBoolean(jvm.fact("ran"));
            }
        }
        assertThat(sizes).containsOnly(jdk.monitorsPin() ? CARRIERS : 0);
        assertThat(runs).containsOnly(!jdk.monitorsPin());
    }

    @Test
    void theDiagnosisReportsThatTheSpareCarriersHaveEnded() {
        try (ForkedJvm jvm =
                idle(on(Jdks.jdk21()).agent("port=0,report=off,starvation-after=1s"))) {
            assertThat(jvm.awaitStderr(line -> line.contains("with work queued")))
                    .contains("in java.nio.channels.Selector.select, while 1 virtual thread waits")
                    .contains(
                            "The scheduler had compensated for 2 of them (`io`), but its spare"
                                    + " carriers have ended because they had no work");
            assertThat(jvm.awaitStderr(line -> line.contains("relief=stuck")))
                    .contains("relief=stuck would add carriers");
            assertThat(jvm.fact("ran")).isEqualTo("false");
            assertThat(
                            jvm.awaitMetrics(
                                    now ->
                                            now.value("vthread_scheduler_delay_current_seconds")
                                                    > 1))
                    .as("what waits beside the application's thread waits as long")
                    .isNotNull();
        }
    }

    @Test
    void reliefWhenStuckHasWhatIsQueuedRun() {
        try (ForkedJvm jvm =
                idle(
                        on(Jdks.jdk21())
                                .agent("port=0,report=off,starvation-after=1s,relief=stuck"))) {
            assertThat(jvm.awaitStderr(line -> line.contains("relief=stuck ")))
                    .contains("relief=stuck adds carriers")
                    .contains("spare carriers have ended");
            jvm.awaitLine("late").proceed().awaitDone();
            assertThat(jvm.metrics().value("vthread_relief_carriers_total")).isEqualTo(1);
        }
    }

    private static ForkedJvm.Launch on(Jdk jdk) {
        return ForkedJvm.on(jdk)
                .carriers(CARRIERS)
                .vm("--add-opens", "java.base/java.lang=ALL-UNNAMED")
                .vm("--add-opens", "java.base/java.util.concurrent=ALL-UNNAMED");
    }

    private static ForkedJvm idle(ForkedJvm.Launch launch) {
        return launch.main(EndingSpareCarriers.class, CARRIERS, IDLE_MILLIS, KEEP_ALIVE_MILLIS)
                .awaitLine("ready")
                .proceed();
    }
}
