package io.vtagent.record;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * How late virtual threads began to run. {@link #add} is for one thread at a time and takes no lock, since that thread is a virtual one;
 * the rest is for the agent's own threads.
 */
public final class Delays {
    private final DurationHistogram histogram;
    private final CumulativeTotals totals;
    private final List<Consumer<DurationTotals>> sinks = new ArrayList<>();

    public Delays(Buckets buckets) {
        histogram = new DurationHistogram(buckets);
        totals = new CumulativeTotals(buckets);
    }

    /** A virtual thread has begun to run, {@code nanos} after it could. */
    public void add(long nanos) {
        histogram.add(nanos);
    }

    /** All delays so far. */
    public synchronized DurationTotals totals() {
        DurationTotals total = totals.sum(List.of(histogram));
        sinks.forEach(sink -> totals.publish(total, sink, sink));
        return total;
    }

    /** Hands {@code sink} all delays so far, and from then on, at each {@link #totals()}, those that are new. */
    public synchronized void publishTo(Consumer<DurationTotals> sink) {
        sinks.add(sink);
    }

    /** Hands {@code sink} nothing more. */
    public synchronized void publishNoMore(Consumer<DurationTotals> sink) {
        sinks.remove(sink);
        totals.forget(sink);
    }
}
