package io.vtagent.record;

/** A sum of {@link DurationHistogram}s: of those of one key over all carriers, or of {@link Delays}. Not thread-safe. */
public final class DurationTotals {
    private final long[] counts;
    private final long[] nanos;
    private long longestNanos;

    DurationTotals(Buckets buckets) {
        this(buckets.count());
    }

    private DurationTotals(int buckets) {
        counts = new long[buckets];
        nanos = new long[buckets];
    }

    void add(int bucket, long count, long totalNanos) {
        counts[bucket] += count;
        nanos[bucket] += totalNanos;
    }

    /** Adds the counts and times of {@code other}, but not its longest. */
    void add(DurationTotals other) {
        for (int bucket = 0; bucket < counts.length; bucket++) {
            add(bucket, other.counts[bucket], other.nanos[bucket]);
        }
    }

    /** The longest since this was asked last. */
    long takeLongest() {
        long longest = longestNanos;
        longestNanos = 0;
        return longest;
    }

    void longest(long candidateNanos) {
        longestNanos = Math.max(longestNanos, candidateNanos);
    }

    /** What came after {@code earlier}, whose longest pin is given. */
    DurationTotals since(DurationTotals earlier, long longest) {
        DurationTotals difference = new DurationTotals(counts.length);
        for (int bucket = 0; bucket < counts.length; bucket++) {
            difference.add(bucket, counts[bucket] - earlier.counts[bucket], nanos[bucket] - earlier.nanos[bucket]);
        }
        difference.longest(longest);
        return difference;
    }

    /** This and {@code other}, which has the same buckets. */
    public DurationTotals plus(DurationTotals other) {
        DurationTotals both = new DurationTotals(counts.length);
        both.add(this);
        both.add(other);
        both.longest(Math.max(longestNanos, other.longestNanos));
        return both;
    }

    /** Buckets that {@link #count(int)} and {@link #nanos(int)} take, in ascending order of their durations. */
    public int buckets() {
        return counts.length;
    }

    public long count(int bucket) {
        return counts[bucket];
    }

    public long nanos(int bucket) {
        return nanos[bucket];
    }

    public long count() {
        return sum(counts);
    }

    public long nanos() {
        return sum(nanos);
    }

    /** The longest pin that has ended, in nanoseconds. */
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
