package io.vtagent.ledger;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Samples;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Totals of pins that have not ended yet.
 *
 * @param nanos the carrier time that they have held so far, in nanoseconds
 * @param longestNanos the age of the oldest pin, in nanoseconds; that of a sampled pin counts from
 *     its first sample on
 * @param samples the samples of those that were sampled
 */
public record ActivePinTotals(long count, long nanos, long longestNanos, Samples samples) {
    public static final ActivePinTotals NONE = new ActivePinTotals(0, 0, 0);

    /** Creates totals of pins that were not sampled. */
    public ActivePinTotals(long count, long nanos, long longestNanos) {
        this(count, nanos, longestNanos, Samples.NONE);
    }

    /** Returns the totals of all {@code pins}. */
    public static ActivePinTotals of(Collection<ActivePin> pins) {
        return by(pin -> true, pins).getOrDefault(true, NONE);
    }

    /** Returns the totals of {@code pins} by {@code key}. */
    public static <K> Map<K, ActivePinTotals> by(
            Function<ActivePin, K> key, Collection<ActivePin> pins) {
        Map<K, ActivePinTotals> byKey = new HashMap<>();
        for (ActivePin pin : pins) {
            byKey.merge(
                    key.apply(pin),
                    new ActivePinTotals(1, pin.ageNanos(), pin.certainNanos(), pin.samples()),
                    ActivePinTotals::and);
        }
        return byKey;
    }

    private ActivePinTotals and(ActivePinTotals other) {
        return new ActivePinTotals(
                count + other.count,
                nanos + other.nanos,
                Math.max(longestNanos, other.longestNanos),
                samples.and(other.samples));
    }
}
