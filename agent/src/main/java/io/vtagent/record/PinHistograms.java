package io.vtagent.record;

import io.vtagent.jvm.StackHeadroom;
import org.jspecify.annotations.Nullable;

/** Counts of pins by key. One thread at a time writes; any thread may read. */
final class PinHistograms {
    private final Buckets buckets;
    private final @Nullable DurationHistogram[] byKey =
            new @Nullable DurationHistogram[PinKey.COUNT];
    private final @Nullable DurationHistogram[] unattributed =
            new @Nullable DurationHistogram[PinKind.values().length];

    PinHistograms(Buckets buckets) {
        this.buckets = buckets;
    }

    /** Counts a pin. {@code site} is null if its stack was not walked. */
    void add(
            long durationNanos,
            PinKind kind,
            PinReason reason,
            boolean compensated,
            @Nullable Site site) {
        // both before either: if memory ran out between them, the sites would not add up to the
        // total
        DurationHistogram total = histogram(byKey, PinKey.index(kind, reason, compensated));
        DurationHistogram rest = site == null ? histogram(unattributed, kind.ordinal()) : null;
        StackHeadroom.claim(); // same reason: the second may go deeper than the first
        total.add(durationNanos);
        if (rest != null) {
            rest.add(durationNanos);
        } else if (site != null) {
            site.add(durationNanos);
        }
    }

    private DurationHistogram histogram(@Nullable DurationHistogram[] of, int index) {
        DurationHistogram histogram = of[index];
        if (histogram == null) {
            histogram = new DurationHistogram(of == byKey ? buckets : Buckets.SINGLE);
            of[index] = histogram;
        }
        return histogram;
    }

    @Nullable DurationHistogram of(int key) {
        return byKey[key];
    }

    @Nullable DurationHistogram unattributed(PinKind kind) {
        return unattributed[kind.ordinal()];
    }

    /** Returns and removes what {@link #of} returns. Called when no more pins are added. */
    @Nullable DurationHistogram take(int key) {
        DurationHistogram taken = byKey[key];
        byKey[key] = null;
        return taken;
    }

    /**
     * Returns and removes what {@link #unattributed(PinKind)} returns. Called when no more pins are
     * added.
     */
    @Nullable DurationHistogram takeUnattributed(PinKind kind) {
        DurationHistogram taken = unattributed[kind.ordinal()];
        unattributed[kind.ordinal()] = null;
        return taken;
    }
}
