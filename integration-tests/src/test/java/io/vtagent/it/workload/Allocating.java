package io.vtagent.it.workload;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * {@code THREADS MILLIS}: that many virtual threads allocate memory for that long, so that the JVM
 * stops them all the time. It prints the share of the time, and the sum over all of them.
 */
public final class Allocating {
    private static final int KEPT = 2_000;
    private static final int BYTES = 20_000;

    private Allocating() {}

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        WorkloadConsole.warmUp();
        long stoppedBefore = stoppedMillis();
        long began = System.nanoTime();
        List<Thread> allocating = Tasks.start(threads, number -> allocate(millis * 1_000_000));
        Tasks.join(allocating);
        double nanos = System.nanoTime() - began;
        WorkloadConsole.fact("seconds", threads * nanos / 1e9);
        WorkloadConsole.fact("stopped", (stoppedMillis() - stoppedBefore) * 1e6 / nanos);
        WorkloadConsole.done();
    }

    private static long stoppedMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private static void allocate(long nanos) {
        Object[] kept = new Object[KEPT];
        long beganNanos = System.nanoTime();
        for (int i = 0; System.nanoTime() - beganNanos < nanos; i++) {
            kept[i % KEPT] = new byte[BYTES];
        }
    }
}
