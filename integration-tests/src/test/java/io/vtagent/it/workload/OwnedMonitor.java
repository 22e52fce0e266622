package io.vtagent.it.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code WAITERS}: where monitors pin, one virtual thread parks in a monitor, and that many others
 * wait for it, until the test goes on; one more finds no carrier.
 */
public final class OwnedMonitor {
    private static final Monitor MONITOR = new Monitor();
    private static volatile boolean released;

    private OwnedMonitor() {}

    /**
     * Locks itself to compute its hash, as a {@code Hashtable} does: the caller waits for the
     * owner.
     */
    private static final class Monitor {
        @Override
        public synchronized int hashCode() {
            return 1;
        }

        @Override
        public synchronized boolean equals(Object other) {
            return other == this;
        }

        @Override
        public synchronized String toString() {
            return "held";
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        WorkloadConsole.warmUp();
        List<Thread> threads = new ArrayList<>();
        Thread owner = Thread.ofVirtual().name("owner").start(OwnedMonitor::hold);
        await(owner, Thread.State.WAITING);
        for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
            Thread waiter = Thread.ofVirtual().name("waiter-" + i).start(OwnedMonitor::hold);
            await(waiter, Thread.State.BLOCKED);
            threads.add(waiter);
        }
        threads.add(Thread.ofVirtual().name("queued").start(() -> {}));
        WorkloadConsole.fact("monitor", Integer.toHexString(System.identityHashCode(MONITOR)));
        WorkloadConsole.fact("owner", "\"owner\" #" + owner.threadId());
        WorkloadConsole.printAndWait("held");
        released = true;
        LockSupport.unpark(owner);
        owner.join();
        Tasks.join(threads);
        WorkloadConsole.done();
    }

    private static void hold() {
        synchronized (MONITOR) {
            while (!released) {
                LockSupport.park();
            }
        }
    }

    private static void await(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.onSpinWait();
        }
    }
}
