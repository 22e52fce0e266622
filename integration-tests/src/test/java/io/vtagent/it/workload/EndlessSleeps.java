package io.vtagent.it.workload;

import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code monitor|lock THREADS MILLIS}: virtual threads that sleep for that long in a monitor, or a
 * lock, of their own, over and over. After a line on stdin they do the same in another method. One
 * of those with a lock computes for a while in between.
 */
public final class EndlessSleeps {
    /** Long enough to be found by samples. */
    private static final long COMPUTES_NANOS = 100_000_000;

    private static volatile boolean elsewhere;

    private EndlessSleeps() {}

    public static void main(String[] arguments) {
        boolean inMonitor = arguments[0].equals("monitor");
        long millis = Long.parseLong(arguments[2]);
        Tasks.start(
                Integer.parseInt(arguments[1]),
                number -> {
                    while (true) {
                        if (!inMonitor) {
                            sleepInLock(millis);
                            computeIf(number == 0);
                        } else if (elsewhere) {
                            sleepElsewhere(millis);
                        } else {
                            sleepInMonitor(millis);
                        }
                    }
                });
        WorkloadConsole.printAndWait("sleeping");
        elsewhere = true;
        WorkloadConsole.printAndWait("elsewhere");
    }

    private static void computeIf(boolean wanted) {
        long beganNanos = System.nanoTime();
        while (wanted && System.nanoTime() - beganNanos < COMPUTES_NANOS) {
            Thread.onSpinWait();
        }
    }

    private static void sleepInMonitor(long millis) throws InterruptedException {
        synchronized (new Object()) {
            Thread.sleep(millis);
        }
    }

    private static void sleepElsewhere(long millis) throws InterruptedException {
        synchronized (new Object()) {
            Thread.sleep(millis);
        }
    }

    private static void sleepInLock(long millis) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            Thread.sleep(millis);
        } finally {
            lock.unlock();
        }
    }
}
