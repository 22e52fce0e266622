package io.vtagent.bench.program;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The CPU time of this process, in nanoseconds. */
final class ProcessTime {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private ProcessTime() {}

    static long nanos() {
        return SYSTEM.getProcessCpuTime();
    }
}
