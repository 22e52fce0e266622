package io.vtagent.record;

import java.util.Map;
import java.util.Objects;

/**
 * The pins that have ended.
 *
 * @param byKey without the keys that have none
 * @param unattributed those of them whose stack was not walked; for every kind
 */
public record EndedPins(Map<PinKey, DurationTotals> byKey, Map<PinKind, DurationTotals> unattributed) {

    /** The pins of {@code kind} whose stack was not walked. */
    public DurationTotals unattributed(PinKind kind) {
        return Objects.requireNonNull(unattributed.get(kind));
    }

    /** Carrier time held in all, in nanoseconds. */
    public long nanos() {
        return byKey.values().stream().mapToLong(DurationTotals::nanos).sum();
    }

    /** Carrier time held by pins of {@code kind}, in nanoseconds. */
    public long nanos(PinKind kind) {
        return byKey.entrySet().stream()
                .filter(entry -> entry.getKey().kind() == kind)
                .mapToLong(entry -> entry.getValue().nanos())
                .sum();
    }

    public long count() {
        return byKey.values().stream().mapToLong(DurationTotals::count).sum();
    }
}
