package io.vtagent.bench.program;

import java.util.concurrent.locks.LockSupport;

/**
 * {@code THREADS_PER_SECOND}: starts so many virtual threads, each of which computes the same for some hundred microseconds, and says
 * what part of a processor the process has used: the work is the same whatever the machine does besides.
 */
public final class SteadyWork {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long WARM_UP_NANOS = 3 * NANOS_PER_SECOND;
    private static final long MEASURED_NANOS = 8 * NANOS_PER_SECOND;
    private static final int STEPS = 100_000;
    private static final double PERCENT = 100;

    private static volatile long result;

    private SteadyWork() {}

    public static void main(String[] arguments) {
        long periodNanos = NANOS_PER_SECOND / Long.parseLong(arguments[0]);
        work(WARM_UP_NANOS, periodNanos);
        long usedBefore = ProcessTime.nanos();
        long beganNanos = System.nanoTime();
        work(MEASURED_NANOS, periodNanos);
        double used = ProcessTime.nanos() - usedBefore;
        System.out.println("processorPercent=" + PERCENT * used / (System.nanoTime() - beganNanos));
    }

    private static void work(long nanos, long periodNanos) {
        long beganNanos = System.nanoTime();
        long threads = nanos / periodNanos;
        for (long i = 1; i <= threads; i++) {
            Thread.startVirtualThread(SteadyWork::compute);
            for (long left = 1; left > 0; ) {
                left = beganNanos + i * periodNanos - System.nanoTime();
                LockSupport.parkNanos(left);
            }
        }
    }

    private static void compute() {
        long value = result;
        for (int i = 0; i < STEPS; i++) {
            value = value * 31 + i;
        }
        result = value;
    }
}
