package io.vtagent.ledger;

import io.vtagent.thread.AgentThread;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task that one thread at a time runs. A thread that requests it while it is running makes the
 * running thread repeat it, and does not wait for that. The task may therefore call code that takes
 * locks of its own, such as a Micrometer registry, without holding a lock of the agent.
 * Thread-safe.
 */
final class CoalescedTask {
    private static final long MAX_WAIT_NANOS = 1_000_000_000;
    private static final long POLL_NANOS = 200_000;

    private final Runnable work;
    private final AtomicInteger requests = new AtomicInteger();

    CoalescedTask(Runnable work) {
        this.work = work;
    }

    /**
     * Waits up to one second until all requested runs are done or one has failed. The caller is a
     * thread of the agent and holds no lock that the task could need.
     */
    void await() {
        long beganNanos = System.nanoTime();
        while (requests.get() > 0
                && System.nanoTime() - beganNanos < MAX_WAIT_NANOS
                && !AgentThread.isDetached()) {
            AgentThread.pause(POLL_NANOS);
        }
    }

    /**
     * Runs the task, or makes the running thread repeat it. An exception of the task goes to the
     * thread that ran it; the next request starts anew.
     */
    void run() {
        if (requests.getAndIncrement() > 0) {
            return;
        }
        boolean done = false;
        try {
            int upTo;
            do {
                upTo = requests.get();
                work.run();
            } while (!requests.compareAndSet(upTo, 0));
            done = true;
        } finally {
            if (!done) {
                requests.set(0);
            }
        }
    }
}
