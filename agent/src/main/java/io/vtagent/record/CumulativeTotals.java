package io.vtagent.record;

import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The totals of the durations of one key over growing histograms. Keeps the counts of retired
 * histograms, the longest duration ever, and what each sink has received. Not thread-safe.
 */
final class CumulativeTotals {
    private final Buckets buckets;

    /** The counts of retired histograms; null if there are none. */
    private @Nullable DurationTotals retired;

    private final IdentityHashMap<Object, Told> told = new IdentityHashMap<>();
    private long longestNanos;
    private @Nullable DurationTotals newest;

    /** The totals that one sink has received. */
    private static final class Told {
        private DurationTotals total;
        private long longestUntoldNanos;

        /** The total that is being published to it, until that has succeeded. */
        private DurationTotals beingTold;

        /** The longest duration that came after {@link #beingTold}. */
        private long longestOfLaterNanos;

        Told(DurationTotals total, long longestUntoldNanos) {
            this.total = total;
            beingTold = total;
            this.longestUntoldNanos = longestUntoldNanos;
        }
    }

    CumulativeTotals(Buckets buckets) {
        this.buckets = buckets;
    }

    /** Allocates what {@link #retire} needs, so that it does not fail. */
    void prepareToRetire() {
        DurationTotals unused = retired();
    }

    /** Adds the counts of {@code last} to those kept; it will not be summed any more. */
    void retire(@Nullable DurationHistogram last) {
        if (last != null) {
            DurationTotals kept = retired();
            last.addTo(kept);
            longest(kept.takeLongest());
        }
    }

    private DurationTotals retired() {
        DurationTotals kept = retired;
        if (kept == null) {
            kept = new DurationTotals(buckets);
            retired = kept;
        }
        return kept;
    }

    /** Returns whether there are counts even without any histogram. */
    boolean hasRetired() {
        return retired != null;
    }

    /** Returns all durations so far: those in {@code histograms} and those of retired ones. */
    DurationTotals sum(List<DurationHistogram> histograms) {
        DurationTotals total = new DurationTotals(buckets);
        if (retired != null) {
            total.add(retired);
        }
        for (DurationHistogram histogram : histograms) {
            histogram.addTo(total);
        }
        longest(total.takeLongest());
        total.longest(longestNanos);
        newest = total;
        return total;
    }

    private void longest(long candidateNanos) {
        longestNanos = Math.max(longestNanos, candidateNanos);
        for (Told each : told.values()) {
            each.longestUntoldNanos = Math.max(each.longestUntoldNanos, candidateNanos);
            each.longestOfLaterNanos = Math.max(each.longestOfLaterNanos, candidateNanos);
        }
    }

    /**
     * Returns what the newest {@link #sum} has in excess of what {@code whom} has received; null if
     * nothing. It counts as received only after {@link #handed}.
     */
    @Nullable DurationTotals newFor(Object whom) {
        DurationTotals total = newest;
        if (total == null) {
            return null;
        }
        Told before =
                told.computeIfAbsent(
                        whom, another -> new Told(new DurationTotals(buckets), longestNanos));
        DurationTotals since = total.since(before.total, before.longestUntoldNanos);
        if (since.count() == 0) {
            return null;
        }
        before.beingTold = total;
        before.longestOfLaterNanos = 0;
        return since;
    }

    /**
     * Records that {@code whom} has received what {@link #newFor} returned last, whatever has been
     * summed since.
     */
    void handed(Object whom) {
        Told its = told.get(whom);
        if (its != null) {
            its.total = its.beingTold;
            its.longestUntoldNanos = its.longestOfLaterNanos;
        }
    }

    /** Forgets {@code whom}, which receives nothing more. */
    void forget(Object whom) {
        told.remove(whom);
    }
}
