package io.vtagent.it.workload;

import java.util.concurrent.atomic.LongAdder;

/**
 * {@code THREADS MILLIS}: virtual threads that compute for so long, all at once, on carriers that
 * have slept before. It says how long that was for all of them together.
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
        Told.warm();
        // from outside, a thread is recognised when it sleeps
        Tasks.run(threads, number -> LibC.usleep(SLEEP_MICROS));
        Told.says("slept");
        compute(threads, millis);
        Told.done();
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
        Told.fact("seconds", threads * (System.nanoTime() - beganNanos) / 1e9);
    }
}
