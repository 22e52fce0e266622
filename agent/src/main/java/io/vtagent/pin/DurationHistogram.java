package io.vtagent.pin;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts durations, such as those of the pins of one key on one carrier. One thread at a time
 * writes, with plain stores: the virtual thread that is mounted on the carrier. Any thread may
 * read. A count is stored after its total and read before it, so a total that is read covers at
 * least the durations counted.
 */
public final class DurationHistogram {
    private final Buckets buckets;
    private final AtomicLongArray counts;
    private final AtomicLongArray totals;
    private final AtomicLong longest = new AtomicLong();

    public DurationHistogram(Buckets buckets) {
        this.buckets = buckets;
        counts = new AtomicLongArray(buckets.count());
        totals = new AtomicLongArray(buckets.count());
    }

    /** Counts a duration. */
    public void add(long nanos) {
        add(nanos, nanos);
    }

    /** Adds an estimated duration, of which {@code certainNanos} are certain. */
    public void add(long nanos, long certainNanos) {
        int bucket = buckets.of(nanos);
        totals.lazySet(bucket, totals.getPlain(bucket) + nanos);
        if (certainNanos > longest.getPlain()) {
            longest.lazySet(certainNanos);
        }
        counts.lazySet(bucket, counts.getPlain(bucket) + 1);
    }

    /** Adds all counts to {@code sum}. */
    public void addTo(DurationTotals sum) {
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            long count = counts.get(bucket);
            if (count > 0) {
                sum.add(bucket, count, totals.get(bucket));
            }
        }
        sum.longest(longest.getAndSet(0));
    }
}
