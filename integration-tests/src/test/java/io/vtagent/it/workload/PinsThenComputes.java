package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code THREADS SECONDS}: for so long, virtual threads sleep in monitors of their own, more of
 * them than there are carriers. From then on only the first of them does, and computes as well, so
 * that no thread waits for another. It ends with its stdin.
 */
public final class PinsThenComputes {
    private static final long SLEEP_MILLIS = 10;
    private static final long COMPUTING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long REST_MILLIS = 200;
    private static volatile boolean ended;

    private PinsThenComputes() {}

    public static void main(String[] arguments) throws InterruptedException {
        long waitingNanos = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1]));
        long beganNanos = System.nanoTime();
        List<Thread> threads =
                Tasks.start(
                        Integer.parseInt(arguments[0]),
                        number -> {
                            Object monitor = new Object();
                            while (!ended) {
                                sleepIn(monitor);
                                if (System.nanoTime() - beganNanos < waitingNanos) {
                                    continue;
                                }
                                if (number > 0) {
                                    return;
                                }
                                compute(System.nanoTime() + COMPUTING_NANOS);
                                Thread.sleep(REST_MILLIS);
                            }
                        });
        WorkloadConsole.printAndWait("running");
        ended = true;
        Tasks.join(threads);
    }

    private static void sleepIn(Object monitor) throws InterruptedException {
        synchronized (monitor) {
            Thread.sleep(SLEEP_MILLIS);
        }
    }

    private static void compute(long endNanos) {
        while (System.nanoTime() < endNanos) {}
    }
}
