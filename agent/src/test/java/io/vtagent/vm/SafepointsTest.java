package io.vtagent.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class SafepointsTest {

    @Test
    void aThreadDumpOfAllThreadsIsOne() {
        Safepoints safepoints = new Safepoints();
        long before = safepoints.count();
        assertThat(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
                .isNotEmpty();
        assertThat(safepoints.count()).isGreaterThan(before);
    }
}
