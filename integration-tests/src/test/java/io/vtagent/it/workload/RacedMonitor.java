package io.vtagent.it.workload;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code TIMES MILLIS}: again and again, two virtual threads come to a monitor at the same moment,
 * when it is free, and each holds it for {@code MILLIS}. The monitor is inflated, because one of
 * them has to wait each time.
 */
public final class RacedMonitor {
    private static final int THREADS = 2;
    private static final Object MONITOR = new Object();
    private static final AtomicInteger COME = new AtomicInteger();
    private static final LongAdder WAITED_NANOS = new LongAdder();

    /**
     * The time at which the monitor became free. A thread that waited for it may get a CPU later.
     */
    private static long leftNanos = System.nanoTime();

    private RacedMonitor() {}

    public static void main(String[] arguments) throws InterruptedException {
        int times = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        Tasks.run(THREADS, thread -> {}); // so that there are carriers
        WorkloadConsole.printAndWait("ready");
        Tasks.run(
                THREADS,
                thread -> {
                    for (int time = 1; time <= times; time++) {
                        COME.incrementAndGet();
                        while (COME.get() < THREADS * time) {
                            Thread.onSpinWait();
                        }
                        enter(millis);
                    }
                });
        WorkloadConsole.fact("waited", WAITED_NANOS.sum() / 1e9);
        WorkloadConsole.done();
    }

    private static void enter(long millis) throws InterruptedException {
        long cameNanos = System.nanoTime();
        synchronized (MONITOR) {
            WAITED_NANOS.add(Math.max(leftNanos - cameNanos, 0));
            Thread.sleep(millis);
            leftNanos = System.nanoTime();
        }
    }
}
