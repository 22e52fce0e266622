package io.vtagent.it.workload;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code MORE [platform|timed]}: a deadlock that no carrier ends. One virtual thread has a monitor
 * and waits for a lock, with a time limit if it is {@code timed}; another one, or a platform
 * thread, has the lock and waits for the monitor; {@code MORE} threads wait for the lock, each in a
 * monitor of its own; one finds no carrier.
 */
public final class LockAndMonitor {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Object MONITOR = new Object();

    private static final Set<Thread.State> WAITING =
            EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.BLOCKED);

    private LockAndMonitor() {}

    public static void main(String[] arguments) throws InterruptedException {
        int more = Integer.parseInt(arguments[0]);
        String how = arguments.length > 1 ? arguments[1] : "";
        Thread.Builder builder =
                how.equals("platform") ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
        Object[] monitors = new Object[more];
        WorkloadConsole.warmUp();
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        List<Thread> stuck = new ArrayList<>();
        stuck.add(builder.name("has-lock").start(() -> enterWithLock(locked, entered)));
        locked.await();
        stuck.add(
                Thread.ofVirtual()
                        .name("has-monitor")
                        .start(
                                () -> {
                                    synchronized (MONITOR) {
                                        entered.countDown();
                                        if (how.equals("timed")) {
                                            tryLock();
                                        } else {
                                            takeLock();
                                        }
                                    }
                                }));
        for (int i = 0; i < more; i++) {
            monitors[i] = new Object();
            Object monitor = monitors[i];
            stuck.add(
                    Thread.ofVirtual()
                            .name("waiter-" + i)
                            .start(
                                    () -> {
                                        synchronized (monitor) {
                                            takeLock();
                                        }
                                    }));
        }
        WorkloadConsole.fact("monitor", Integer.toHexString(System.identityHashCode(MONITOR)));
        for (Thread thread : stuck) {
            while (!WAITING.contains(thread.getState())) {
                Thread.onSpinWait();
            }
        }
        Thread queued = Thread.ofVirtual().name("queued").start(() -> {});
        WorkloadConsole.printAndWait("stuck");
        queued.join();
        WorkloadConsole.printAndWait("queued");
    }

    private static void enterWithLock(CountDownLatch locked, CountDownLatch entered) {
        LOCK.lock();
        try {
            locked.countDown();
            Waiting.forLatch(entered);
            synchronized (MONITOR) {
                Thread.onSpinWait(); // not reached
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static void tryLock() {
        try {
            if (LOCK.tryLock(1, TimeUnit.HOURS)) {
                LOCK.unlock();
            }
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    private static void takeLock() {
        LOCK.lock();
        try {
            Thread.onSpinWait(); // not reached
        } finally {
            LOCK.unlock();
        }
    }
}
