package io.vtagent.it.workload;

import java.util.concurrent.atomic.LongAdder;

/**
 * {@code THREADS MILLIS}: virtual threads that compute for that long, all at once, on carriers that
 * have slept before. It prints the sum over all of them.
 */
public final class Computing {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int SLEEP_MICROS = 200_000;
    private static final LongAdder COMPUTED = new LongAdder();

    private Computing() {}

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        LibC.usleep(1); // loads what it needs
        WorkloadConsole.warmUp();
        // the sampler recognises a thread when it sleeps
        Tasks.run(threads, number -> LibC.usleep(SLEEP_MICROS));
        WorkloadConsole.printAndWait("slept");
        compute(threads, millis);
        WorkloadConsole.done();
    }

    private static void compute(int threads, long millis) throws InterruptedException {
        long beganNanos = System.nanoTime();
        Tasks.run(
                threads,
                number -> {
                    long sum = number;
                    while (System.nanoTime() - beganNanos < millis * NANOS_PER_MILLI) {
                        sum = sum * 31 + 1;
                    }
                    COMPUTED.add(sum);
                });
        WorkloadConsole.fact("seconds", threads * (System.nanoTime() - beganNanos) / 1e9);
    }
}
