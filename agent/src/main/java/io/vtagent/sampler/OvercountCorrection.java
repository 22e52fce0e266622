package io.vtagent.sampler;

import java.util.HashMap;
import java.util.Map;

/**
 * Corrects the overcount of the first pin after an idle period. A pin whose first sample follows an
 * idle period counts for the whole long interval before that sample, because it stands for the pins
 * that no sample has hit. If another pin follows at once, the first one was not alone but the first
 * of many, and half of the interval would have been right. The following pins on the carrier then
 * count for less, down to half, until the overcount is compensated for, but for no longer than the
 * idle interval was. For the sampler's thread.
 */
final class OvercountCorrection {
    private static final class Overcount {
        private long nanos;
        private long untilNanos;
    }

    private final Map<Thread, Overcount> byCarrier = new HashMap<>();

    /** Forgets the overcounts that have expired by {@code nowNanos}. Called after each sample. */
    void expire(long nowNanos) {
        if (!byCarrier.isEmpty()) { // it is nearly always empty
            byCarrier.values().removeIf(overcount -> overcount.untilNanos - nowNanos <= 0);
        }
    }

    /**
     * Adds the overcount of a counted pin of {@code carrier}, whose last sample was at {@code
     * lastSampledAtNanos}.
     */
    void add(Thread carrier, DurationEstimate time, long lastSampledAtNanos) {
        long overcountNanos = time.remainingOvercountNanos();
        if (overcountNanos == 0) {
            return;
        }
        long untilNanos = lastSampledAtNanos - time.spanNanos() + time.singleSampleNanos();
        Overcount overcount = byCarrier.get(carrier);
        if (overcount == null) {
            overcount = new Overcount();
            overcount.untilNanos = untilNanos;
            byCarrier.put(carrier, overcount);
        }
        overcount.nanos += overcountNanos;
        overcount.untilNanos = Math.max(overcount.untilNanos, untilNanos);
    }

    /** Returns the overcount that a new pin of {@code carrier} has to compensate for. */
    long nanosOf(Thread carrier) {
        Overcount overcount = byCarrier.get(carrier);
        return overcount == null ? 0 : overcount.nanos;
    }

    /**
     * Clears the overcount of {@code carrier}, which its new pin has taken over. That pin adds the
     * remainder when it is counted.
     */
    void clear(Thread carrier) {
        Overcount overcount = byCarrier.get(carrier);
        if (overcount != null) {
            overcount.nanos = 0;
        }
    }
}
