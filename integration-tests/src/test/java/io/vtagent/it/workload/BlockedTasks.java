package io.vtagent.it.workload;

import java.lang.reflect.Field;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code CARRIERS}: as many tasks that are no virtual threads run on the scheduler's carriers, as
 * those of instrumentation may, and wait for a lock. The virtual thread that has it, and waits with
 * a time limit, finds no carrier then. Needs {@code java.lang} to be open.
 */
@SuppressWarnings("LockNotBeforeTry") // nothing in between throws
public final class BlockedTasks {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final long PERIOD_NANOS = 200_000_000;
    private static volatile boolean blocked;

    private BlockedTasks() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        int carriers = Integer.parseInt(arguments[0]);
        Field scheduler =
                Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
        scheduler.setAccessible(true);
        ForkJoinPool pool = (ForkJoinPool) scheduler.get(null);
        WorkloadConsole.warmUp();
        Thread owner =
                Thread.ofVirtual()
                        .name("owner")
                        .start(
                                () -> {
                                    LOCK.lock();
                                    try {
                                        while (!blocked) {
                                            LockSupport.parkNanos(PERIOD_NANOS);
                                        }
                                    } finally {
                                        LOCK.unlock();
                                    }
                                });
        while (!LOCK.isLocked()) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < carriers; i++) {
            pool.execute(BlockedTasks::instrumented);
        }
        while (LOCK.getQueueLength() < carriers) {
            Thread.onSpinWait();
        }
        blocked = true;
        WorkloadConsole.printAndWait("stuck");
        owner.join();
        WorkloadConsole.done();
    }

    private static void instrumented() {
        LOCK.lock();
        try {
            Thread.onSpinWait(); // nothing that lasts
        } finally {
            LOCK.unlock();
        }
    }
}
