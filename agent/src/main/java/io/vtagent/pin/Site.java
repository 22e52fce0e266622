package io.vtagent.pin;

import io.vtagent.site.PinnedStack;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** A site and the totals of its pins that have ended. Thread-safe; the counters only grow. */
public final class Site {
    /** The usual duration of a site before a pin of it has ended. */
    public static final long UNKNOWN = -1;

    /** The number of pins over which the usual duration is averaged. */
    private static final int MEMORY = 8;

    private final PinSite key;
    private final PinReason reason;
    private volatile @Nullable PinnedStack stack;

    /** The pins by their duration. */
    private final AtomicLongArray counts = new AtomicLongArray(Buckets.COARSE.count());

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong usualNanos = new AtomicLong(UNKNOWN);
    private final AtomicLong waitedNanos = new AtomicLong();
    private final SampleCounts samples = new SampleCounts();

    public Site(PinSite key, PinReason reason, @Nullable PinnedStack stack) {
        this.key = key;
        this.reason = reason;
        this.stack = stack;
    }

    /** Counts a pin that has ended. */
    public void add(long durationNanos) {
        add(durationNanos, durationNanos);
    }

    /**
     * Adds a sampled pin in the bucket of {@code durationNanos}, which is estimated. For the
     * longest duration only the time from the first to the last sample counts.
     */
    public void addSampled(long durationNanos, Samples seen) {
        samples.add(seen);
        add(durationNanos, seen.seenNanos());
    }

    private void add(long durationNanos, long certainNanos) {
        // nothing here allocates, not even to link a lambda: or the pin might be counted in part
        nanos.addAndGet(durationNanos);
        long longest = longestNanos.get();
        while (certainNanos > longest && !longestNanos.compareAndSet(longest, certainNanos)) {
            longest = longestNanos.get();
        }
        counts.incrementAndGet(Buckets.COARSE.of(durationNanos));
    }

    /**
     * Adopts the monitor's class from {@code another} stack of this site if the first stack lacks
     * it: not every source of pins reports the class.
     */
    void learnFrom(PinnedStack another) {
        PinnedStack first = stack;
        if (first != null && first.monitorClass() == null && another.monitorClass() != null) {
            stack = first.withMonitor(another.monitorClass());
        }
    }

    /**
     * Updates the usual duration with a pin that has ended. Unlike {@link #add}, it is also called
     * for pins that are too short to be counted here.
     */
    public void ended(long durationNanos) {
        long before = usualNanos.getPlain();
        usualNanos.lazySet(
                before == UNKNOWN ? durationNanos : before + (durationNanos - before) / MEMORY);
    }

    /** Returns a moving mean of the durations of all pins, in nanoseconds, or {@link #UNKNOWN}. */
    public long usualNanos() {
        return usualNanos.get();
    }

    /** Returns what the site is known by. */
    public PinSite key() {
        return key;
    }

    /** Returns the reason of the first pin of this site. */
    public PinReason reason() {
        return reason;
    }

    /** Returns whether this site stands for all those without a site of their own. */
    public boolean isForMany() {
        return stack == null;
    }

    /**
     * Returns the stack of the first pin of this site, with the monitor's class from the first
     * stack that shows it; null for sites that stand for many.
     */
    public @Nullable PinnedStack stack() {
        return stack;
    }

    /** Returns the number of pins. */
    public long count() {
        return durations().count();
    }

    /** Returns the pins by their duration. */
    public DurationCounts durations() {
        long[] durations = new long[counts.length()];
        for (int bucket = 0; bucket < durations.length; bucket++) {
            durations[bucket] = counts.get(bucket);
        }
        return DurationCounts.of(durations);
    }

    /** Returns the samples of those pins that were sampled. */
    public Samples samples() {
        return samples.get();
    }

    /**
     * Returns whether the pins that have ended were all sampled, and by too few samples to call
     * this a site.
     */
    public boolean isRare() {
        Samples seen = samples.get();
        return count() <= seen.pins() && seen.areTooFew();
    }

    /** Returns the duration of all pins, in nanoseconds. */
    public long nanos() {
        return nanos.get();
    }

    /** Adds time for which virtual threads were queued because of pins of this site. */
    public void addWaited(long newNanos) {
        waitedNanos.addAndGet(newNanos);
    }

    /**
     * Returns how long virtual threads were queued because of pins of this site, summed over the
     * threads, in nanoseconds.
     */
    public long waitedNanos() {
        return waitedNanos.get();
    }

    /** Returns the duration of the longest pin, in nanoseconds. */
    public long longestNanos() {
        return longestNanos.get();
    }
}
