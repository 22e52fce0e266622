package io.vtagent.record;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds histograms up again and again, as the durations of one kind grow in them: keeps what those counted that are gone, the longest
 * duration ever, and how far it has been handed on. Not thread-safe.
 */
final class CumulativeTotals {
    private final Buckets buckets;
    private final DurationTotals retired;
    private DurationTotals published;
    private long longestNanos;
    private long longestUnpublishedNanos;

    CumulativeTotals(Buckets buckets) {
        this.buckets = buckets;
        retired = new DurationTotals(buckets);
        published = new DurationTotals(buckets);
    }

    /** Keeps what {@code last} has counted: it will not be added up any more. */
    void retire(@Nullable DurationHistogram last) {
        if (last != null) {
            last.addTo(retired);
            longest(retired.takeLongest());
        }
    }

    /** All durations so far: those in {@code histograms}, and those of the retired ones. */
    DurationTotals sum(Iterable<@Nullable DurationHistogram> histograms) {
        DurationTotals total = new DurationTotals(buckets);
        total.add(retired);
        for (DurationHistogram histogram : histograms) {
            if (histogram != null) {
                histogram.addTo(total);
            }
        }
        longest(total.takeLongest());
        total.longest(longestNanos);
        return total;
    }

    private void longest(long candidateNanos) {
        longestNanos = Math.max(longestNanos, candidateNanos);
        longestUnpublishedNanos = Math.max(longestUnpublishedNanos, candidateNanos);
    }

    /** Hands {@code sink} what {@code total}, the newest {@link #sum}, has more than it was handed before, if there is a sink, and more. */
    void publish(DurationTotals total, @Nullable Consumer<DurationTotals> sink) {
        DurationTotals since = total.since(published, longestUnpublishedNanos);
        if (sink != null && since.count() > 0) {
            sink.accept(since);
            published = total;
            longestUnpublishedNanos = 0;
        }
    }
}
