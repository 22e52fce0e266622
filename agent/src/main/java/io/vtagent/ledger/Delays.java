package io.vtagent.ledger;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationHistogram;
import io.vtagent.pin.DurationTotals;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delays with which virtual threads began to run. {@link #add} must be called by one thread at a
 * time and takes no lock, because that thread is virtual. The other methods are for the agent's own
 * threads, and hold no lock while a sink is called.
 */
public final class Delays {
    private final DurationHistogram histogram;
    private final CumulativeTotals totals;
    private final Map<Consumer<DurationTotals>, CoalescedTask> sinks = new LinkedHashMap<>();

    public Delays(Buckets buckets) {
        histogram = new DurationHistogram(buckets);
        totals = new CumulativeTotals(buckets);
    }

    /** Records that a virtual thread began to run {@code nanos} after it became runnable. */
    public void add(long nanos) {
        histogram.add(nanos);
    }

    /** Returns all delays so far, and publishes the new ones to the sinks. */
    public DurationTotals totals() {
        DurationTotals total;
        List<CoalescedTask> toPublish;
        synchronized (this) {
            total = totals.sum(List.of(histogram));
            toPublish = List.copyOf(sinks.values());
        }
        toPublish.forEach(CoalescedTask::run);
        return total;
    }

    private void publish(Consumer<DurationTotals> sink) {
        DurationTotals since = newFor(sink);
        if (since != null) {
            sink.accept(since);
            handed(sink);
        }
    }

    private synchronized @Nullable DurationTotals newFor(Consumer<DurationTotals> sink) {
        return sinks.containsKey(sink) ? totals.newFor(sink) : null;
    }

    private synchronized void handed(Consumer<DurationTotals> sink) {
        totals.handed(sink);
    }

    /**
     * Publishes all delays so far to {@code sink}, and later the new ones at each {@link
     * #totals()}.
     */
    public synchronized void publishTo(Consumer<DurationTotals> sink) {
        sinks.put(sink, new CoalescedTask(() -> publish(sink)));
    }

    /**
     * Waits up to one second until {@code sink} has all that {@link #totals()} has summed up. The
     * caller is a thread of the agent and holds no lock that the sink could need.
     */
    public void awaitPublished(Consumer<DurationTotals> sink) {
        CoalescedTask task;
        synchronized (this) {
            task = sinks.get(sink);
        }
        if (task != null) {
            task.await();
        }
    }

    /** Stops publishing to {@code sink}. */
    public synchronized void publishNoMore(Consumer<DurationTotals> sink) {
        sinks.remove(sink);
        totals.forget(sink);
    }
}
