package io.vtagent.it.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads have a lock each and wait for that of the other one: one in an initializer, so that
 * it holds the carrier, the other without a carrier and with a time limit. One more thread finds no
 * carrier.
 */
@SuppressWarnings("LockNotBeforeTry") // none of them is ever released
public final class TimedCycle {
    private static final ReentrantLock OF_HOLDER = new ReentrantLock();
    private static final ReentrantLock OF_UNMOUNTED = new ReentrantLock();
    private static volatile boolean entangled;

    private TimedCycle() {}

    private static final class Needs {
        static {
            OF_UNMOUNTED.lock();
        }

        static void initialize() {}
    }

    public static void main(String[] arguments)
            throws InterruptedException, ClassNotFoundException {
        // else it is read from its file on a carrier, for which the scheduler adds another one
        Class.forName(Needs.class.getName(), false, TimedCycle.class.getClassLoader());
        WorkloadConsole.warmUp();
        Thread holder =
                Thread.ofVirtual()
                        .name("holder")
                        .start(
                                () -> {
                                    OF_HOLDER.lock();
                                    while (!entangled) {
                                        LockSupport.park();
                                    }
                                    Needs.initialize();
                                });
        while (!OF_HOLDER.isLocked()) {
            Thread.onSpinWait();
        }
        Thread unmounted = Thread.ofVirtual().name("unmounted").start(TimedCycle::tryLock);
        while (!OF_HOLDER.hasQueuedThread(unmounted)) {
            Thread.onSpinWait();
        }
        entangled = true;
        LockSupport.unpark(holder);
        while (!OF_UNMOUNTED.hasQueuedThread(holder)) {
            Thread.onSpinWait();
        }
        Thread.ofVirtual().name("queued").start(() -> {});
        WorkloadConsole.printAndWait("stuck");
    }

    private static void tryLock() {
        OF_UNMOUNTED.lock();
        try {
            if (OF_HOLDER.tryLock(1, TimeUnit.HOURS)) {
                throw new AssertionError("nobody releases it");
            }
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
