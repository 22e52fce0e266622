package io.vtagent.exporter;

import io.vtagent.thread.AgentThread;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A task for another thread. Its caller may stop waiting before it begins, in which case it never
 * runs; a task that has begun is completed. Thread-safe.
 */
final class Task implements Runnable {
    private final Callable<@Nullable String> work;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable String failure;

    /**
     * @param work returns why it was not done; null on success
     */
    Task(Callable<@Nullable String> work) {
        this.work = work;
    }

    @Override
    public void run() {
        if (!taken.compareAndSet(false, true)) {
            return;
        }
        try {
            failure = work.call();
        } catch (Throwable failed) {
            failure = failed.toString();
        } finally {
            AgentThread.countDown(over);
        }
    }

    /**
     * Waits until the task is over.
     *
     * @return the result of the work, or why there is none
     */
    @Nullable String await(long untilBegunNanos, long untilOverNanos) {
        if (!AgentThread.await(over, untilBegunNanos) && taken.compareAndSet(false, true)) {
            return "the agent's thread has not answered within "
                    + TimeUnit.NANOSECONDS.toSeconds(untilBegunNanos)
                    + " s, try again; nothing was changed";
        }
        return AgentThread.await(over, untilOverNanos)
                ? failure
                : "the change has begun and continues, but takes longer than "
                        + TimeUnit.NANOSECONDS.toSeconds(untilOverNanos)
                        + " s";
    }
}
