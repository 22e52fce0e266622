package io.vtagent.ledger;

import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.Samples;
import java.util.Map;
import java.util.Objects;

/**
 * Totals of the pins that have ended.
 *
 * @param byKey the totals by key, without keys that have no pins
 * @param unattributed the totals of pins whose stack was not walked, for every kind
 * @param samples the samples of those pins in {@code byKey} that were sampled
 * @param unattributedSamples the same of those in {@code unattributed}
 */
public record EndedPins(
        Map<PinKey, DurationTotals> byKey,
        Map<PinKind, DurationTotals> unattributed,
        Map<PinKey, Samples> samples,
        Map<PinKind, Samples> unattributedSamples) {

    /** Returns the pins of {@code kind} whose stack was not walked. */
    public DurationTotals unattributed(PinKind kind) {
        return Objects.requireNonNull(unattributed.get(kind));
    }

    /** Returns the samples of the pins of {@code key}. */
    public Samples samples(PinKey key) {
        return samples.getOrDefault(key, Samples.NONE);
    }

    /** Returns the samples of the unattributed pins of {@code kind}. */
    public Samples unattributedSamples(PinKind kind) {
        return unattributedSamples.getOrDefault(kind, Samples.NONE);
    }

    /** Returns whether the unattributed pins of {@code kind} were sampled too rarely. */
    public boolean isUnattributedRare(PinKind kind) {
        Samples seen = unattributedSamples(kind);
        return unattributed(kind).count() <= seen.pins() && seen.areTooFew();
    }

    /** Returns the total carrier time held, in nanoseconds. */
    public long nanos() {
        long nanos = 0;
        for (DurationTotals totals : byKey.values()) {
            nanos += totals.nanos();
        }
        return nanos;
    }

    /** Returns the carrier time held by pins of {@code kind}, in nanoseconds. */
    public long nanos(PinKind kind) {
        return byKey.entrySet().stream()
                .filter(entry -> entry.getKey().kind() == kind)
                .mapToLong(entry -> entry.getValue().nanos())
                .sum();
    }

    /** Returns the number of pins. */
    public long count() {
        long count = 0;
        for (DurationTotals totals : byKey.values()) {
            count += totals.count();
        }
        return count;
    }
}
