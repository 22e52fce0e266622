package io.vtagent.it.workload;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code monitor|lock|platform}: a thread initializes a class and needs a monitor or a lock, and
 * the thread that has it needs the class. With {@code platform} that is a platform thread with the
 * monitor. One more thread finds no carrier.
 */
public final class InitializerCycle {
    private static final CountDownLatch BEGUN = new CountDownLatch(2);
    private static final Object MONITOR = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();

    private InitializerCycle() {}

    private static final class NeedsMonitor {
        static {
            meet();
            synchronized (MONITOR) {
                Thread.onSpinWait(); // not reached
            }
        }

        static void initialize() {}
    }

    private static final class NeedsLock {
        static {
            meet();
            LOCK.lock();
        }

        static void initialize() {}
    }

    private static void meet() {
        BEGUN.countDown();
        while (BEGUN.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    public static void main(String[] arguments)
            throws InterruptedException, ClassNotFoundException {
        // else they are read from their files on a carrier, for which the scheduler adds another
        // one
        Class.forName(NeedsMonitor.class.getName(), false, InitializerCycle.class.getClassLoader());
        Class.forName(NeedsLock.class.getName(), false, InitializerCycle.class.getClassLoader());
        WorkloadConsole.warmUp();
        boolean locks = arguments[0].equals("lock");
        Thread.Builder owner =
                arguments[0].equals("platform") ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
        Thread.ofVirtual()
                .name("initializing")
                .start(locks ? NeedsLock::initialize : NeedsMonitor::initialize);
        owner.name("owner")
                .start(
                        locks
                                ? InitializerCycle::initializeWithLock
                                : InitializerCycle::initializeInMonitor);
        while (BEGUN.getCount() > 0) {
            Thread.onSpinWait();
        }
        Thread.ofVirtual().name("queued").start(() -> {});
        WorkloadConsole.printAndWait("stuck");
    }

    private static void initializeInMonitor() {
        synchronized (MONITOR) {
            meet();
            NeedsMonitor.initialize();
        }
    }

    private static void initializeWithLock() {
        LOCK.lock();
        try {
            meet();
            NeedsLock.initialize();
        } finally {
            LOCK.unlock();
        }
    }
}
