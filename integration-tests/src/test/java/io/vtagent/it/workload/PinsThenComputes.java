package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code THREADS SECONDS}: for so long, virtual threads sleep in monitors of their own, for several
 * durations in turn, more of them than there are carriers. From then on only the first of them
 * does, for another duration, and computes as well, so that no thread waits for another. It ends
 * with its stdin.
 */
public final class PinsThenComputes {
    private static final long[] SLEEPS_MILLIS = {3, 3, 12, 150};
    private static final long LATER_SLEEP_MILLIS = 30;
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
                            for (int turn = 0; !ended; turn++) {
                                if (System.nanoTime() - beganNanos < waitingNanos) {
                                    sleepIn(monitor, SLEEPS_MILLIS[turn % SLEEPS_MILLIS.length]);
                                    continue;
                                }
                                if (number > 0) {
                                    return;
                                }
                                sleepIn(monitor, LATER_SLEEP_MILLIS);
                                compute(System.nanoTime() + COMPUTING_NANOS);
                                Thread.sleep(REST_MILLIS);
                            }
                        });
        WorkloadConsole.printAndWait("running");
        ended = true;
        Tasks.join(threads);
    }

    private static void sleepIn(Object monitor, long millis) throws InterruptedException {
        synchronized (monitor) {
            Thread.sleep(millis);
        }
    }

    private static void compute(long endNanos) {
        while (System.nanoTime() < endNanos) {}
    }
}
