package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Other threads of the tests' JVM may make it stop all threads at any time. */
class SafepointDeltasTest {
    private final SafepointDeltas stops = new SafepointDeltas();

    @Test
    void thereAreNoneIfTheJvmDoesNotReportThem() {
        stopAllThreads();
        assertThat(stops.anyNew()).isFalse();
        assertThat(stops.newNanos()).isZero();
        assertThat(stops.sinceBeginNanos()).isZero();
    }

    @Test
    void oneThatCameSinceTheQuestionBeforeIsNew() {
        stops.begin();
        stopAllThreads();
        assertThat(stops.anyNew()).isTrue();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void oneThatWasAskedForIsNotNewAnyMore() {
        stops.begin();
        while (stops.anyNew()) { // ends at once, unless others stop all threads
            Thread.onSpinWait();
        }
    }

    /**
     * The time of all of them since the JVM began is more than they can take between two samples.
     */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void theirDurationIsReturnedFromOneCallToTheNext() {
        for (int i = 0; i < 100; i++) {
            System.gc();
        }
        stops.begin();
        long beganNanos = System.nanoTime();
        long stoppedNanos = 0;
        while (stoppedNanos < 3_000_000) {
            System.gc();
            long newNanos = stops.newNanos();
            assertThat(newNanos).isNotNegative();
            stoppedNanos += newNanos;
        }
        assertThat(stoppedNanos).isLessThanOrEqualTo(System.nanoTime() - beganNanos + 1_000_000);
        assertThat(stops.sinceBeginNanos())
                .isBetween(stoppedNanos, System.nanoTime() - beganNanos + 1_000_000);
    }

    private static void stopAllThreads() {
        assertThat(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)).isNotEmpty();
    }
}
