package io.vtagent.demo;

import java.lang.management.ManagementFactory;

/** The heap of this JVM. */
final class Heap {

    private Heap() {}

    /** What is used after a collection, in bytes. */
    static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
