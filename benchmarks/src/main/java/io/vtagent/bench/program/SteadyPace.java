package io.vtagent.bench.program;

import java.util.concurrent.locks.LockSupport;

/** Does something again and again, as often whatever the machine does besides. */
final class SteadyPace {
    private SteadyPace() {}

    /**
     * Returns after {@code nanos}, of which each {@code periodNanos} has begun with {@code task}.
     */
    static void run(long nanos, long periodNanos, Runnable task) {
        long beganNanos = System.nanoTime();
        long times = nanos / periodNanos;
        for (long i = 1; i <= times; i++) {
            task.run();
            for (long left = 1; left > 0; ) {
                left = beganNanos + i * periodNanos - System.nanoTime();
                LockSupport.parkNanos(left);
            }
        }
    }
}
