package io.vtagent.it.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code THREADS [MORE]}: the known deadlock. A virtual thread is the first in the queue of a lock,
 * unmounted; {@code THREADS} others wait behind it, each in a monitor of its own; then the owner
 * releases the lock. Where monitors pin, and there are no more carriers than that, no thread can
 * take it. {@code MORE} threads, which do as the others, are ready to run by then, and were so
 * before the first.
 */
public final class Deadlock {
    /** Fair, so that no thread overtakes the first. */
    private static final ReentrantLock LOCK = new ReentrantLock(true);

    private Deadlock() {}

    @SuppressWarnings("LockNotBeforeTry") // it is released when the others wait
    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        int more = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
        Object[] monitors = new Object[threads + more];
        List<Thread> holders = new ArrayList<>();
        WorkloadConsole.warmUp();
        LOCK.lock();
        Thread first = Thread.ofVirtual().name("first-in-queue").start(Deadlock::takeLock);
        awaitQueued(first);
        for (int i = 0; i < threads; i++) {
            Object monitor = new Object();
            monitors[i] = monitor; // or the compiler proves that it is thread-local
            holders.add(Thread.ofVirtual().name("holder-" + i).start(() -> takeLockIn(monitor)));
            awaitQueued(holders.get(i));
        }
        for (int i = 0; i < more; i++) {
            Object monitor = new Object();
            monitors[threads + i] = monitor;
            holders.add(Thread.ofVirtual().start(() -> takeLockIn(monitor)));
        }
        LOCK.unlock();
        WorkloadConsole.printAndWait("released");
        first.join();
        Tasks.join(holders);
        WorkloadConsole.done();
    }

    private static void takeLock() {
        LOCK.lock();
        try {
            Thread.onSpinWait(); // nothing that lasts
        } finally {
            LOCK.unlock();
        }
    }

    private static void takeLockIn(Object monitor) {
        synchronized (monitor) {
            takeLock();
        }
    }

    private static void awaitQueued(Thread thread) {
        while (thread.getState() != Thread.State.WAITING || !LOCK.hasQueuedThread(thread)) {
            Thread.onSpinWait();
        }
    }
}
