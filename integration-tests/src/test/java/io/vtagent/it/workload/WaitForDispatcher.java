package io.vtagent.it.workload;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code next|owner CARRIERS}: where {@code Object.wait} holds carriers, as many threads wait for a
 * result of a platform thread. That one waits for a lock, which was released to a virtual thread
 * without a carrier, or which such a thread has.
 */
public final class WaitForDispatcher {
    private static final ReentrantLock POOL = new ReentrantLock();
    private static final Object RESULT = new Object();
    private static boolean done;

    private WaitForDispatcher() {}

    @SuppressWarnings("LockNotBeforeTry") // it is released when the others wait
    public static void main(String[] arguments) throws InterruptedException {
        boolean owns = arguments[0].equals("owner");
        WorkloadConsole.warmUp();
        POOL.lock();
        Thread lease = Thread.ofVirtual().name("lease").start(() -> lease(owns));
        awaitQueued(lease);
        Thread dispatcher =
                Thread.ofPlatform().daemon().name("dispatcher").start(WaitForDispatcher::dispatch);
        awaitQueued(dispatcher);
        if (owns) {
            POOL.unlock();
            while (lease.getState() != Thread.State.WAITING || POOL.hasQueuedThread(lease)) {
                Thread.onSpinWait();
            }
        }
        for (int i = Integer.parseInt(arguments[1]); i > 0; i--) {
            Thread request =
                    Thread.ofVirtual().name("request-" + i).start(WaitForDispatcher::await);
            while (request.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        if (owns) {
            LockSupport.unpark(lease);
        } else {
            POOL.unlock();
        }
        WorkloadConsole.printAndWait("stuck");
    }

    private static void lease(boolean parks) {
        POOL.lock();
        try {
            if (parks) {
                LockSupport.park();
            }
        } finally {
            POOL.unlock();
        }
    }

    @SuppressWarnings("LockNotBeforeTry") // nothing in between throws
    private static void dispatch() {
        POOL.lock();
        try {
            Thread.onSpinWait(); // nothing that lasts
        } finally {
            POOL.unlock();
        }
        synchronized (RESULT) {
            done = true;
            RESULT.notifyAll();
        }
    }

    private static void await() {
        synchronized (RESULT) {
            while (!done) {
                try {
                    RESULT.wait();
                } catch (InterruptedException over) {
                    return;
                }
            }
        }
    }

    private static void awaitQueued(Thread thread) {
        while (thread.getState() != Thread.State.WAITING || !POOL.hasQueuedThread(thread)) {
            Thread.onSpinWait();
        }
    }
}
