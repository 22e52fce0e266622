package io.vtagent.bench.program;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code platform|virtual SETTLE}: tasks that sleep for 10 ms, on 1,024 platform threads, or on as
 * many carriers as the scheduler gets, each on a virtual thread of its own, pinned. They are
 * counted after {@code SETTLE} seconds.
 */
public final class Sleepers {
    private static final int THREADS = 1024;

    /** So that there is always one that waits for a carrier. */
    private static final int VIRTUAL_THREADS = 4 * THREADS;

    private static final long SLEEP_MILLIS = 10;
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(SLEEP_MILLIS);
    private static final long MEASURED_MILLIS = 4_000;
    private static final LongAdder TASKS = new LongAdder();

    private Sleepers() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments[0].equals("platform")) {
            for (int i = 0; i < THREADS; i++) {
                Thread.ofPlatform().daemon().start(Sleepers::sleepForEver);
            }
        } else {
            for (int i = 0; i < VIRTUAL_THREADS; i++) {
                Thread.startVirtualThread(Sleepers::sleepAndStartTheNext);
            }
        }
        Thread.sleep(TimeUnit.SECONDS.toMillis(Long.parseLong(arguments[1])));
        long before = TASKS.sum();
        long beganNanos = System.nanoTime();
        Thread.sleep(MEASURED_MILLIS);
        double tasks = TASKS.sum() - before;
        System.out.println(
                "tasksPerSecond="
                        + tasks * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - beganNanos));
        System.exit(0);
    }

    @SuppressWarnings("InfiniteLoopStatement") // until the JVM exits
    private static void sleepForEver() {
        try {
            while (true) {
                Thread.sleep(SLEEP_MILLIS);
                TASKS.increment();
            }
        } catch (InterruptedException end) {
            // never interrupted
        }
    }

    private static void sleepAndStartTheNext() {
        NativePin.park(SLEEP_NANOS);
        TASKS.increment();
        Thread.startVirtualThread(Sleepers::sleepAndStartTheNext);
    }
}
