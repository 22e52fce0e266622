package io.vtagent.thread;

import org.jspecify.annotations.Nullable;

/**
 * The steps of one thread that another thread waits for. The waiting thread continues without it
 * when a step is blocked. It waits longer for a step that is only slow, so that nothing is lost on
 * a busy machine. Thread-safe.
 */
public final class Steps {
    private static final int POLL_MILLIS = 10;

    /**
     * The limits, as numbers of polls. Polls do not count the time in which the process is stopped
     * and the waiting thread does not run either.
     */
    private final int mostBlocked;

    private final int most;

    private volatile String step = "reading the options";
    private volatile boolean abandoned;
    private boolean ended;

    public Steps() {
        this(2_000, 10_000);
    }

    /**
     * @param mostBlockedMillis the longest wait without progress
     * @param mostMillis the longest wait in all
     */
    Steps(int mostBlockedMillis, int mostMillis) {
        mostBlocked = mostBlockedMillis / POLL_MILLIS;
        most = mostMillis / POLL_MILLIS;
    }

    /** Begins the next step. */
    public void begin(String next) {
        step = next;
    }

    /** Ends the last step, so that no thread needs to wait. */
    public synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Returns whether the waiting thread has continued before {@link #end}. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Waits for {@link #end}. Stops waiting after ten seconds, or when {@code taker} has neither
     * run nor begun a step for two seconds.
     *
     * @return the step that has not ended; null if all have
     */
    public synchronized @Nullable String await(Thread taker) {
        boolean interrupted = false;
        String latest = step;
        int blocked = 0;
        for (int polls = 0; !ended && !abandoned; polls++) {
            try {
                wait(POLL_MILLIS);
            } catch (InterruptedException later) {
                interrupted = true;
            }
            String now = step;
            blocked =
                    now.equals(latest) && taker.getState() != Thread.State.RUNNABLE
                            ? blocked + 1
                            : 0;
            latest = now;
            abandoned = !ended && (blocked > mostBlocked || polls > most);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return abandoned ? latest : null;
    }
}
