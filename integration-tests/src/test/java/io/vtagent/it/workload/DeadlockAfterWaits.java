package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * {@code THREADS}: that many virtual threads wait in a monitor, for which the scheduler of JDK 21
 * adds carriers; when they are over and those carriers are idle, {@link Deadlock} follows, with as
 * many threads.
 */
public final class DeadlockAfterWaits {
    private static final Object MONITOR = new Object();
    private static boolean over;

    private DeadlockAfterWaits() {}

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(Integer.parseInt(arguments[0]));
        List<Thread> threads =
                Tasks.start(Integer.parseInt(arguments[0]), number -> await(waiting));
        waiting.await();
        synchronized (MONITOR) {
            over = true;
            MONITOR.notifyAll();
        }
        Tasks.join(threads);
        Deadlock.main(arguments);
    }

    private static void await(CountDownLatch waiting) throws InterruptedException {
        synchronized (MONITOR) {
            waiting.countDown();
            while (!over) {
                MONITOR.wait();
            }
        }
    }
}
