package io.vtagent.record;

import java.util.Map;
import java.util.Objects;

/**
 * Totals of the pins that have ended.
 *
 * @param byKey the totals by key, without keys that have no pins
 * @param unattributed the totals of pins whose stack was not walked, for every kind
 */
public record EndedPins(
        Map<PinKey, DurationTotals> byKey, Map<PinKind, DurationTotals> unattributed) {

    /** Returns the pins of {@code kind} whose stack was not walked. */
    public DurationTotals unattributed(PinKind kind) {
        return Objects.requireNonNull(unattributed.get(kind));
    }

    /** Returns the total carrier time held, in nanoseconds. */
    public long nanos() {
        return byKey.values().stream().mapToLong(DurationTotals::nanos).sum();
    }

    /** Returns the carrier time held by pins of {@code kind}, in nanoseconds. */
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
