package io.vtagent.exporter;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Finds out for how long threads have been where they are, from the number of mounts alone. Each
 * thread that has arrived somewhere was mounted before, so of {@code n} threads at one place, one
 * at least has been there since the moment after which there were fewer than {@code n} mounts.
 * Thread-safe.
 */
final class StandingThreads {
    /** The number of moments that are kept, which are a second apart or more. */
    private static final int MAX_MOMENTS = 60;

    private final LongSupplier mounts;

    /** The oldest first. */
    private final ArrayDeque<Moment> moments = new ArrayDeque<>();

    private record Moment(long nanos, long mounts) {}

    /**
     * @param mounts returns the number of mounts of virtual threads so far
     */
    StandingThreads(LongSupplier mounts) {
        this.mounts = mounts;
    }

    /** Keeps the present number of mounts. Called once a second. */
    synchronized void keep(long nowNanos) {
        if (moments.size() == MAX_MOMENTS) {
            moments.removeFirst();
        }
        moments.addLast(new Moment(nowNanos, mounts.getAsLong()));
    }

    /**
     * Returns how long at least one of {@code threads} threads at one place has been there; 0 if
     * that is not known.
     */
    synchronized long nanos(long threads, long nowNanos) {
        long now = mounts.getAsLong();
        for (Moment moment : moments) {
            if (now - moment.mounts < threads) {
                return Math.max(nowNanos - moment.nanos, 0);
            }
        }
        return 0;
    }
}
