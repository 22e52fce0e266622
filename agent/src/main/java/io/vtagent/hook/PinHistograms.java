package io.vtagent.hook;

import io.vtagent.jvm.StackHeadroom;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationHistogram;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.SampleCounts;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import org.jspecify.annotations.Nullable;

/** Counts of pins by key. One thread at a time writes; any thread may read. */
public final class PinHistograms {
    private final Buckets buckets;
    private final @Nullable DurationHistogram[] byKey =
            new @Nullable DurationHistogram[PinKey.COUNT];
    private final @Nullable DurationHistogram[] unattributed =
            new @Nullable DurationHistogram[PinKind.values().length];

    /** The samples by key, and then those of unattributed pins by kind; null until the first. */
    private @Nullable SampleCounts @Nullable [] samples;

    public PinHistograms(Buckets buckets) {
        this.buckets = buckets;
    }

    /** Counts a pin. {@code site} is null if its stack was not walked. */
    public void add(
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

    /** Counts a sampled pin. {@code site} is null if its stack is not known. */
    public void addSampled(
            long durationNanos, Samples seen, PinKind kind, PinReason reason, @Nullable Site site) {
        int key = PinKey.index(kind, reason, false);
        DurationHistogram total = histogram(byKey, key);
        DurationHistogram rest = site == null ? histogram(unattributed, kind.ordinal()) : null;
        SampleCounts ofKey = samples(key);
        SampleCounts ofRest = site == null ? samples(PinKey.COUNT + kind.ordinal()) : null;
        StackHeadroom.claim();
        ofKey.add(seen);
        total.add(durationNanos, seen.seenNanos());
        if (rest != null && ofRest != null) {
            ofRest.add(seen);
            rest.add(durationNanos, seen.seenNanos());
        } else if (site != null) {
            site.addSampled(durationNanos, seen);
        }
    }

    /** Returns whether no pin has been counted. */
    public boolean isEmpty() {
        for (DurationHistogram histogram : byKey) {
            if (histogram != null) {
                return false;
            }
        }
        return true;
    }

    private SampleCounts samples(int index) {
        @Nullable SampleCounts[] all = samples;
        if (all == null) {
            all = new @Nullable SampleCounts[PinKey.COUNT + PinKind.values().length];
            samples = all;
        }
        SampleCounts counts = all[index];
        if (counts == null) {
            counts = new SampleCounts();
            all[index] = counts;
        }
        return counts;
    }

    /** Returns the samples of the pins of that key. */
    public Samples samplesOf(int key) {
        return samplesAt(key);
    }

    /** Returns the samples of the unattributed pins of {@code kind}. */
    public Samples unattributedSamples(PinKind kind) {
        return samplesAt(PinKey.COUNT + kind.ordinal());
    }

    private Samples samplesAt(int index) {
        @Nullable SampleCounts[] all = samples;
        SampleCounts counts = all == null ? null : all[index];
        return counts == null ? Samples.NONE : counts.get();
    }

    private DurationHistogram histogram(@Nullable DurationHistogram[] of, int index) {
        DurationHistogram histogram = of[index];
        if (histogram == null) {
            histogram = new DurationHistogram(of == byKey ? buckets : Buckets.COARSE);
            of[index] = histogram;
        }
        return histogram;
    }

    /** Returns the durations of the pins with that {@link PinKey#index}; null if there are none. */
    public @Nullable DurationHistogram of(int key) {
        return byKey[key];
    }

    /** Returns the durations of the pins without a site; null if there are none. */
    public @Nullable DurationHistogram unattributed(PinKind kind) {
        return unattributed[kind.ordinal()];
    }

    /** Returns and removes what {@link #of} returns. Called when no more pins are added. */
    public @Nullable DurationHistogram take(int key) {
        DurationHistogram taken = byKey[key];
        byKey[key] = null;
        return taken;
    }

    /**
     * Returns and removes what {@link #unattributed(PinKind)} returns. Called when no more pins are
     * added.
     */
    public @Nullable DurationHistogram takeUnattributed(PinKind kind) {
        DurationHistogram taken = unattributed[kind.ordinal()];
        unattributed[kind.ordinal()] = null;
        return taken;
    }
}
