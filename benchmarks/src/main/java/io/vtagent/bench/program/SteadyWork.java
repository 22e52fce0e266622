package io.vtagent.bench.program;

/**
 * {@code THREADS_PER_SECOND}: starts virtual threads at that rate, each of which computes the same
 * for some hundred microseconds, and prints the share of a CPU that the process has used. The work
 * is the same whatever else the machine does.
 */
public final class SteadyWork {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long WARM_UP_NANOS = 3 * NANOS_PER_SECOND;
    private static final long MEASURED_NANOS = 8 * NANOS_PER_SECOND;
    private static final int STEPS = 100_000;

    private static volatile long result;

    private SteadyWork() {}

    public static void main(String[] arguments) {
        long periodNanos = NANOS_PER_SECOND / Long.parseLong(arguments[0]);
        work(WARM_UP_NANOS, periodNanos);
        CpuShare.printWhile(() -> work(MEASURED_NANOS, periodNanos));
    }

    private static void work(long nanos, long periodNanos) {
        SteadyPace.run(nanos, periodNanos, () -> Thread.startVirtualThread(SteadyWork::compute));
    }

    private static void compute() {
        long value = result;
        for (int i = 0; i < STEPS; i++) {
            value = value * 31 + i;
        }
        result = value;
    }
}
