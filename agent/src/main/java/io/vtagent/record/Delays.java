package io.vtagent.record;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How late virtual threads began to run. {@link #add} is for one thread at a time and takes no lock, since that thread is a virtual one;
 * the rest is for the agent's own threads.
 */
public final class Delays {
    private final Buckets buckets;
    private final Tally tally;
    private PinTotals published;
    private long longestNanos;
    private long unpublishedLongestNanos;
    private @Nullable Consumer<PinTotals> sink;

    public Delays(Buckets buckets) {
        this.buckets = buckets;
        tally = new Tally(buckets);
        published = new PinTotals(buckets);
    }

    /** A virtual thread has begun to run, {@code nanos} after it could. */
    public void add(long nanos) {
        tally.add(nanos);
    }

    /** All delays so far. */
    public synchronized PinTotals totals() {
        PinTotals total = new PinTotals(buckets);
        tally.addTo(total);
        unpublishedLongestNanos = Math.max(unpublishedLongestNanos, total.takeLongest());
        longestNanos = Math.max(longestNanos, unpublishedLongestNanos);
        total.longest(longestNanos);
        Consumer<PinTotals> to = sink;
        PinTotals since = total.since(published, unpublishedLongestNanos);
        if (to != null && since.count() > 0) {
            to.accept(since);
            published = total;
            unpublishedLongestNanos = 0;
        }
        return total;
    }

    /** Hands {@code newSink} all delays so far, and from then on, at each {@link #totals()}, those that are new. */
    public synchronized void publishTo(Consumer<PinTotals> newSink) {
        sink = newSink;
    }
}
