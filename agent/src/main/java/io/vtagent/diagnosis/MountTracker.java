package io.vtagent.diagnosis;

import io.vtagent.scheduler.CarrierPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks which virtual thread each carrier carries from one sample to the next, and when that
 * changed. For one thread.
 */
final class MountTracker {
    private final CarrierPool pool;
    private final Map<Thread, Thread> mounted = new HashMap<>();
    private final Map<Thread, Long> changedAtNanos = new HashMap<>();
    private long newestNanos;
    private long changes;

    MountTracker(CarrierPool pool) {
        this.pool = pool;
    }

    /** Forgets all samples before {@code nowNanos}; {@link #changes} goes on counting. */
    void begin(long nowNanos) {
        end();
        newestNanos = nowNanos;
    }

    /** Forgets all threads, so that what only they refer to can be collected. Needs no memory. */
    void end() {
        mounted.clear();
        changedAtNanos.clear();
    }

    void sample(long nowNanos, List<Thread> carriers) {
        for (Thread carrier : carriers) {
            Thread thread = pool.mountedOn(carrier);
            Thread before = thread == null ? null : mounted.put(carrier, thread);
            if (before != null && before != thread) {
                changedAtNanos.put(carrier, nowNanos);
                newestNanos = nowNanos;
                changes++;
            }
        }
    }

    /**
     * Returns when a carrier was last found with another thread than before, or the time of {@link
     * #begin} if none was since. A new carrier does not count.
     */
    long newestNanos() {
        return newestNanos;
    }

    /** Returns how many such changes were found so far. */
    long changes() {
        return changes;
    }

    /** Returns how many carriers have taken up another thread after {@code nanos}. */
    int changedAfter(long nanos) {
        return (int) changedAtNanos.values().stream().filter(time -> time - nanos > 0).count();
    }
}
