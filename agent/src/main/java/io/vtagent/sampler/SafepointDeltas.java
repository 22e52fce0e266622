package io.vtagent.sampler;

import io.vtagent.hotspot.Safepoints;
import io.vtagent.log.AgentLog;
import org.jspecify.annotations.Nullable;

/**
 * Safepoints from one call to the next; none where the JVM does not report them. For one thread.
 */
final class SafepointDeltas {
    private @Nullable Safepoints safepoints;
    private long count;
    private long nanos;

    /** Starts to count, and loads what that needs. Earlier safepoints do not count. */
    void begin() {
        try {
            Safepoints known = new Safepoints();
            count = known.count();
            nanos = known.stoppedNanos();
            safepoints = known;
        } catch (LinkageError missing) {
            AgentLog.debug("safepoints cannot be distinguished from native code:", missing);
        }
    }

    /** Returns whether there was a safepoint since the previous call. */
    boolean anyNew() {
        long before = count;
        count = safepoints == null ? before : safepoints.count();
        return count != before;
    }

    /** Returns the total duration of the safepoints since the previous call. */
    long newNanos() {
        long before = nanos;
        nanos = safepoints == null ? before : safepoints.stoppedNanos();
        return nanos - before;
    }
}
