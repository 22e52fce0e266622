package io.vtagent.pin;

/**
 * The sum of several {@link DurationHistogram}s: those of one key over all carriers, or those of
 * {@code Delays}. Not thread-safe.
 */
public final class DurationTotals {
    private final long[] counts;
    private final long[] nanos;
    private long longestNanos;

    public DurationTotals(Buckets buckets) {
        this(buckets.count());
    }

    private DurationTotals(int buckets) {
        counts = new long[buckets];
        nanos = new long[buckets];
    }

    /** Adds {@code count} durations to {@code bucket}, which are {@code totalNanos} together. */
    public void add(int bucket, long count, long totalNanos) {
        counts[bucket] += count;
        nanos[bucket] += totalNanos;
    }

    /** Adds the counts and times of {@code other}, but not its longest duration. */
    public void add(DurationTotals other) {
        for (int bucket = 0; bucket < counts.length; bucket++) {
            add(bucket, other.counts[bucket], other.nanos[bucket]);
        }
    }

    /** Returns the longest duration since the last call, in nanoseconds. */
    public long takeLongest() {
        long longest = longestNanos;
        longestNanos = 0;
        return longest;
    }

    /** Makes {@code candidateNanos} the longest duration if it is longer. */
    public void longest(long candidateNanos) {
        longestNanos = Math.max(longestNanos, candidateNanos);
    }

    /**
     * Returns what was added after {@code earlier}; {@code longest} is the longest duration among
     * it.
     */
    public DurationTotals since(DurationTotals earlier, long longest) {
        DurationTotals difference = new DurationTotals(counts.length);
        for (int bucket = 0; bucket < counts.length; bucket++) {
            difference.add(
                    bucket,
                    counts[bucket] - earlier.counts[bucket],
                    nanos[bucket] - earlier.nanos[bucket]);
        }
        difference.longest(longest);
        return difference;
    }

    /** Returns the sum of this and {@code other}, which must have the same buckets. */
    public DurationTotals plus(DurationTotals other) {
        DurationTotals both = new DurationTotals(counts.length);
        both.add(this);
        both.add(other);
        both.longest(Math.max(longestNanos, other.longestNanos));
        return both;
    }

    /**
     * Returns the number of buckets that {@link #count(int)} and {@link #nanos(int)} accept, in
     * ascending order of duration.
     */
    public int buckets() {
        return counts.length;
    }

    /** Returns the number of durations in {@code bucket}. */
    public long count(int bucket) {
        return counts[bucket];
    }

    /** Returns the sum of the durations in {@code bucket}, in nanoseconds. */
    public long nanos(int bucket) {
        return nanos[bucket];
    }

    /** Returns the number of durations. */
    public long count() {
        return sum(counts);
    }

    /** Returns the counts alone, of totals with the buckets of {@link Buckets#COARSE}. */
    public DurationCounts counts() {
        return DurationCounts.of(counts);
    }

    /** Returns the sum of the durations, in nanoseconds. */
    public long nanos() {
        return sum(nanos);
    }

    /** Returns the longest duration, in nanoseconds. */
    public long longestNanos() {
        return longestNanos;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
