package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code WAY THREADS MILLIS BEFORE}: {@code THREADS} virtual threads hold their carriers once and
 * at the same time. It prints for how long they did by their own clocks. {@code BEFORE} is {@code
 * short}, where short virtual threads run for some seconds before that, or {@code none}, where
 * these are the first ones of a JVM that has started some time ago. {@code WAY} is {@code
 * class_init}, where all threads but one wait for a class initializer that sleeps, or {@code
 * native}, where each sleeps in the C library.
 */
public final class SingleBurst {
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final int START_MILLIS = 1_500;
    private static final int MICROS_PER_MILLI = 1_000;

    private static long millis;

    private SingleBurst() {}

    /** The class that the threads wait for. */
    private static final class Initialized {
        static {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException hurried) {
                throw new IllegalStateException(hurried);
            }
        }

        static void use() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean inNativeCode = arguments[0].equals("native");
        int threads = Integer.parseInt(arguments[1]);
        millis = Long.parseLong(arguments[2]);
        if (inNativeCode) {
            LibC.usleep(1); // loads JNA
        }
        if (arguments[3].equals("short")) {
            runShortThreads();
        } else {
            Thread.sleep(START_MILLIS);
        }
        LongAdder nanos = new LongAdder();
        CountDownLatch ready = new CountDownLatch(threads);
        List<Thread> burst =
                Tasks.start(
                        threads,
                        number -> {
                            ready.countDown();
                            ready.await();
                            long fromNanos = System.nanoTime();
                            if (inNativeCode) {
                                LibC.usleep((int) millis * MICROS_PER_MILLI);
                            } else {
                                Initialized.use();
                            }
                            nanos.add(System.nanoTime() - fromNanos);
                        });
        Tasks.join(burst);
        WorkloadConsole.fact("seconds", nanos.sum() / 1e9);
        WorkloadConsole.done();
    }

    private static void runShortThreads() throws InterruptedException {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < WARM_UP_NANOS) {
            Thread.startVirtualThread(() -> {}).join();
            Thread.sleep(2);
        }
    }
}
