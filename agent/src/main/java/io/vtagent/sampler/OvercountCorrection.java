package io.vtagent.sampler;

import java.util.HashMap;
import java.util.Map;

/**
 * What has been counted for carriers ahead of its time. A pin that is first seen after a rest of
 * the looks counts for all the time since the look before: it stands for those that no look has
 * seen. Where the next one follows at once, it was not alone, but the first of many, and half of
 * that time would have been enough. So the next ones count for less, down to a half, until that is
 * made up for, and for no longer than the rest was. For the one thread that looks.
 */
final class OvercountCorrection {
    private static final class Ahead {
        private long nanos;
        private long untilNanos;
    }

    private final Map<Thread, Ahead> byCarrier = new HashMap<>();

    /** A look is over: what was counted for a time that has passed by now is forgotten. */
    void passed(long nowNanos) {
        if (!byCarrier.isEmpty()) { // nearly always it is
            byCarrier.values().removeIf(ahead -> ahead.untilNanos - nowNanos <= 0);
        }
    }

    /** A pin of {@code carrier} has been counted that was seen last at that time. */
    void counted(Thread carrier, DurationEstimate time, long seenAtNanos) {
        long leftNanos = time.leftAheadNanos();
        if (leftNanos == 0) {
            return;
        }
        long untilNanos = seenAtNanos - time.laterNanos() + time.onceNanos();
        Ahead ahead = byCarrier.get(carrier);
        if (ahead == null) {
            ahead = new Ahead();
            ahead.untilNanos = untilNanos;
            byCarrier.put(carrier, ahead);
        }
        ahead.nanos += leftNanos;
        ahead.untilNanos = Math.max(ahead.untilNanos, untilNanos);
    }

    /** What is left of it for a pin of {@code carrier} that is seen for the first time. */
    long of(Thread carrier) {
        Ahead ahead = byCarrier.get(carrier);
        return ahead == null ? 0 : ahead.nanos;
    }

    /** That pin makes up for it, and gives back what it does not make up for when it is counted. */
    void taken(Thread carrier) {
        Ahead ahead = byCarrier.get(carrier);
        if (ahead != null) {
            ahead.nanos = 0;
        }
    }
}
