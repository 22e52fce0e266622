package io.vtagent.ledger;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationHistogram;
import io.vtagent.pin.DurationTotals;
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

    private final IdentityHashMap<Object, Published> published = new IdentityHashMap<>();
    private long longestNanos;
    private @Nullable DurationTotals newest;

    /** The totals that one sink has received. */
    private static final class Published {
        private DurationTotals total;
        private long longestUnpublishedNanos;

        /** The total that is being published to it, until that has succeeded. */
        private DurationTotals beingPublished;

        /** The longest duration that came after {@link #beingPublished}. */
        private long longestOfLaterNanos;

        Published(DurationTotals total, long longestUnpublishedNanos) {
            this.total = total;
            beingPublished = total;
            this.longestUnpublishedNanos = longestUnpublishedNanos;
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
        for (Published each : published.values()) {
            each.longestUnpublishedNanos = Math.max(each.longestUnpublishedNanos, candidateNanos);
            each.longestOfLaterNanos = Math.max(each.longestOfLaterNanos, candidateNanos);
        }
    }

    /**
     * Returns what the newest {@link #sum} has in excess of what {@code sink} has received; null if
     * nothing. It counts as received only after {@link #handed}.
     */
    @Nullable DurationTotals newFor(Object sink) {
        DurationTotals total = newest;
        if (total == null) {
            return null;
        }
        Published before =
                published.computeIfAbsent(
                        sink, another -> new Published(new DurationTotals(buckets), longestNanos));
        DurationTotals since = total.since(before.total, before.longestUnpublishedNanos);
        if (since.count() == 0) {
            return null;
        }
        before.beingPublished = total;
        before.longestOfLaterNanos = 0;
        return since;
    }

    /**
     * Records that {@code sink} has received what {@link #newFor} returned last, whatever has been
     * summed since.
     */
    void handed(Object sink) {
        Published its = published.get(sink);
        if (its != null) {
            its.total = its.beingPublished;
            its.longestUnpublishedNanos = its.longestOfLaterNanos;
        }
    }

    /** Forgets {@code sink}, which receives nothing more. */
    void forget(Object sink) {
        published.remove(sink);
    }
}
