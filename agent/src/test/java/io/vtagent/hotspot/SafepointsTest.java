package io.vtagent.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class SafepointsTest {

    @Test
    void aThreadDumpOfAllThreadsIsOne() {
        Safepoints safepoints = new Safepoints();
        long before = safepoints.count();
        assertThat(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)).isNotEmpty();
        assertThat(safepoints.count()).isGreaterThan(before);
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void theyTakeTime() {
        Safepoints safepoints = new Safepoints();
        long beforeNanos = safepoints.stoppedNanos();
        long beganNanos = System.nanoTime();
        while (safepoints.stoppedNanos() - beforeNanos < 3_000_000) {
            System.gc();
        }
        assertThat(safepoints.stoppedNanos() - beforeNanos)
                .isLessThanOrEqualTo(System.nanoTime() - beganNanos + 1_000_000);
    }
}
