package io.vtagent.it.workload;

import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code monitor|lock THREADS MILLIS}: virtual threads that sleep for so long in a monitor, or a
 * lock, of their own, over and over. When it is told to go on they do the same in another method.
 */
public final class EndlessSleeps {
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
                        } else if (elsewhere) {
                            sleepElsewhere(millis);
                        } else {
                            sleepInMonitor(millis);
                        }
                    }
                });
        Told.says("sleeping");
        elsewhere = true;
        Told.says("elsewhere");
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
