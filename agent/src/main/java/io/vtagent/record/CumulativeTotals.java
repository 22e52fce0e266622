package io.vtagent.record;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds histograms up again and again, as the durations of one kind grow in them: keeps what those counted that are gone, the longest
 * duration ever, and how far it has been handed on to each that is told. Not thread-safe.
 */
final class CumulativeTotals {
    private final Buckets buckets;
    /** Of those that are gone; null if there are none. */
    private @Nullable DurationTotals retired;

    private final IdentityHashMap<Object, Told> told = new IdentityHashMap<>();
    private long longestNanos;

    /** What one has been told. */
    private static final class Told {
        private DurationTotals total;
        private long longestUntoldNanos;

        Told(DurationTotals total, long longestUntoldNanos) {
            this.total = total;
            this.longestUntoldNanos = longestUntoldNanos;
        }
    }

    CumulativeTotals(Buckets buckets) {
        this.buckets = buckets;
    }

    /** Does all that {@link #retire} needs memory for. */
    void prepareToRetire() {
        DurationTotals unused = retired();
    }

    /** Keeps what {@code last} has counted: it will not be added up any more. */
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

    /** Whether there is something to sum up without any histogram. */
    boolean hasRetired() {
        return retired != null;
    }

    /** All durations so far: those in {@code histograms}, and those of the retired ones. */
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
        return total;
    }

    private void longest(long candidateNanos) {
        longestNanos = Math.max(longestNanos, candidateNanos);
        for (Told each : told.values()) {
            each.longestUntoldNanos = Math.max(each.longestUntoldNanos, candidateNanos);
        }
    }

    /** Hands {@code sink}, which stands for {@code whom}, what {@code total}, the newest {@link #sum}, has more than it was handed before, if it has. */
    void publish(DurationTotals total, Object whom, Consumer<DurationTotals> sink) {
        Told before = told.computeIfAbsent(whom, another -> new Told(new DurationTotals(buckets), longestNanos));
        DurationTotals since = total.since(before.total, before.longestUntoldNanos);
        if (since.count() > 0) {
            sink.accept(since);
            before.total = total;
            before.longestUntoldNanos = 0;
        }
    }

    /** Nothing more is handed to {@code whom}. */
    void forget(Object whom) {
        told.remove(whom);
    }
}
