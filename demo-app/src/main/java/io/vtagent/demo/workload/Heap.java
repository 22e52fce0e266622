package io.vtagent.demo.workload;

import java.lang.management.ManagementFactory;

/** The heap of this JVM. */
public final class Heap {

    private Heap() {}

    /** Returns the used memory after a collection, in bytes. */
    public static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
