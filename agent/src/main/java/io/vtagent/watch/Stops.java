package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.vm.Safepoints;
import org.jspecify.annotations.Nullable;

/** What the JVM has stopped all threads for, from one question to the next; none where it does not tell. For one thread. */
final class Stops {
    private @Nullable Safepoints safepoints;
    private long count;
    private long nanos;

    /** Loads what is needed. What was before does not count. */
    void begin() {
        try {
            Safepoints known = new Safepoints();
            count = known.count();
            nanos = known.stoppedNanos();
            safepoints = known;
        } catch (LinkageError missing) {
            AgentLog.debug("safepoints cannot be told from native code:", missing);
        }
    }

    /** Whether there was one since this was asked before. */
    boolean anyNew() {
        long before = count;
        count = safepoints == null ? before : safepoints.count();
        return count != before;
    }

    /** How long those took that there were since this was asked before. */
    long newNanos() {
        long before = nanos;
        nanos = safepoints == null ? before : safepoints.stoppedNanos();
        return nanos - before;
    }
}
