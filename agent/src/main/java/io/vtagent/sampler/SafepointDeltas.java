package io.vtagent.sampler;

import io.vtagent.hotspot.Safepoints;
import io.vtagent.log.AgentLog;
import org.jspecify.annotations.Nullable;

/**
 * Safepoints from one call to the next; none where the JVM does not report them. For one thread,
 * except {@link #sinceBeginNanos}, which any thread may call.
 */
final class SafepointDeltas {
    private volatile @Nullable Safepoints safepoints;
    private long beganAtNanos;
    private long count;
    private long nanos;

    /** Starts to count, and loads what that needs. Earlier safepoints do not count. */
    void begin() {
        try {
            Safepoints known = new Safepoints();
            count = known.count();
            nanos = known.stoppedNanos();
            if (safepoints == null) { // else an earlier beginning counts
                beganAtNanos = nanos;
            }
            safepoints = known;
        } catch (LinkageError missing) {
            AgentLog.debug("safepoints cannot be distinguished from native code:", missing);
        }
    }

    /** Returns the total duration of the safepoints since {@link #begin}. */
    long sinceBeginNanos() {
        Safepoints known = safepoints;
        return known == null ? 0 : known.stoppedNanos() - beganAtNanos;
    }

    /** Returns whether there was a safepoint since the previous call. */
    boolean anyNew() {
        Safepoints known = safepoints;
        long before = count;
        count = known == null ? before : known.count();
        return count != before;
    }

    /** Returns the total duration of the safepoints since the previous call. */
    long newNanos() {
        Safepoints known = safepoints;
        long before = nanos;
        nanos = known == null ? before : known.stoppedNanos();
        return nanos - before;
    }
}
