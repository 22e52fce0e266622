package io.vtagent.record;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Pins that have not ended yet.
 *
 * @param nanos the carrier time that they hold so far, in nanoseconds
 * @param longestNanos the age of the oldest
 */
public record InProgress(long count, long nanos, long longestNanos) {
    public static final InProgress NONE = new InProgress(0, 0, 0);

    /** All of {@code pins} together. */
    public static InProgress of(Collection<ActivePin> pins) {
        return by(pin -> true, pins).getOrDefault(true, NONE);
    }

    /** Those of {@code pins} that have the same {@code key} together. */
    public static <K> Map<K, InProgress> by(Function<ActivePin, K> key, Collection<ActivePin> pins) {
        Map<K, InProgress> byKey = new HashMap<>();
        for (ActivePin pin : pins) {
            byKey.merge(key.apply(pin), new InProgress(1, pin.ageNanos(), pin.ageNanos()), InProgress::and);
        }
        return byKey;
    }

    private InProgress and(InProgress other) {
        return new InProgress(count + other.count, nanos + other.nanos, Math.max(longestNanos, other.longestNanos));
    }
}
