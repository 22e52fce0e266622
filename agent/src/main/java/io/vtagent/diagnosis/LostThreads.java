package io.vtagent.diagnosis;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.thread.AgentThread;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Finds lost threads: virtual threads that are ready to run and in no queue of their scheduler, so
 * that no carrier will ever run them.
 *
 * <p>A thread looks like that for a moment whenever it is unparked or mounted, and for longer if
 * the thread that does this gets no CPU. So it is looked for several times, for at least a second,
 * and at least twice while each carrier either runs a thread or is idle. A thread that is not found
 * like that each time is not lost. Thread-safe.
 */
final class LostThreads {
    /** If more threads are queued, the queues are not read. */
    private static final long MAX_QUEUED = 20_000;

    /**
     * The pauses between two samples. Most threads that are not lost have moved after the first
     * pause.
     */
    private static final long[] PAUSES_NANOS = {
        1_000_000, 10_000_000, 100_000_000, 200_000_000, 200_000_000, 200_000_000, 300_000_000
    };

    private static final int MIN_SETTLED = 2;

    private final CarrierPool pool;

    LostThreads(CarrierPool pool) {
        this.pool = pool;
    }

    /**
     * Returns the lost threads among {@code ready}. Pauses if there can be some.
     *
     * @param deadlineNanos the value of {@code System.nanoTime} after which it does not pause; if
     *     it comes too early, no thread is returned
     */
    List<Thread> among(List<Thread> ready, long deadlineNanos) {
        List<Thread> candidates = notQueued(ready);
        int settled = 0;
        for (long pauseNanos : PAUSES_NANOS) {
            boolean isLate = System.nanoTime() + pauseNanos - deadlineNanos >= 0;
            if (candidates.isEmpty() || isLate || AgentThread.isDetached()) {
                return List.of();
            }
            AgentThread.pause(pauseNanos);
            boolean before = pool.isSettled();
            candidates = notQueued(candidates);
            settled += before && pool.isSettled() ? 1 : 0;
        }
        return settled < MIN_SETTLED ? List.of() : candidates;
    }

    private List<Thread> notQueued(List<Thread> threads) {
        List<Thread> ready = new ArrayList<>();
        for (Thread thread : threads) {
            if (isReady(thread)) {
                ready.add(thread);
            }
        }
        if (ready.isEmpty() || pool.queued() > MAX_QUEUED) {
            return List.of();
        }
        IdentityHashMap<Thread, Thread> queued = new IdentityHashMap<>();
        for (Thread thread : pool.queuedThreads((int) (2 * MAX_QUEUED))) {
            queued.put(thread, thread);
        }
        // read the state once more: a thread may have been taken from its queue meanwhile
        ready.removeIf(thread -> queued.containsKey(thread) || !isReady(thread));
        return ready;
    }

    private boolean isReady(Thread thread) {
        return !VirtualThreads.isMounted(thread)
                && thread.getState() == Thread.State.RUNNABLE
                && pool.schedules(thread);
    }
}
