package io.vtagent.pin;

import java.util.Arrays;

/**
 * The distribution of durations: how many pins that have ended are in each bucket of {@link
 * Buckets#COARSE}. Immutable.
 */
public final class DurationCounts {
    /** No pin has ended, or the durations are not known. */
    public static final DurationCounts NONE = new DurationCounts(new long[0]);

    /** By bucket, without zeros at the end. */
    private final long[] counts;

    private DurationCounts(long[] counts) {
        this.counts = counts;
    }

    /**
     * Returns the distribution with these counts by bucket; missing ones are 0.
     *
     * @throws IllegalArgumentException if there are more counts than buckets
     */
    public static DurationCounts of(long... counts) {
        int length = counts.length;
        while (length > 0 && counts[length - 1] == 0) {
            length--;
        }
        if (length > Buckets.COARSE.count()) {
            throw new IllegalArgumentException("more counts than buckets: " + length);
        }
        return length == 0 ? NONE : new DurationCounts(Arrays.copyOf(counts, length));
    }

    /** Returns the number of buckets up to the last one that has pins. */
    public int buckets() {
        return counts.length;
    }

    /** Returns the number of pins in {@code bucket}, which may be any bucket. */
    public long count(int bucket) {
        return bucket < counts.length ? counts[bucket] : 0;
    }

    /** Returns the number of pins. */
    public long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    /** Returns the counts by bucket, without zeros at the end. */
    public long[] toArray() {
        return counts.clone();
    }

    /** Returns the sum of both. */
    public DurationCounts plus(DurationCounts other) {
        long[] sum = new long[Math.max(counts.length, other.counts.length)];
        for (int bucket = 0; bucket < sum.length; bucket++) {
            sum[bucket] = count(bucket) + other.count(bucket);
        }
        return of(sum);
    }

    /** Returns the increase since {@code earlier}; a count that has shrunk counts as 0. */
    public DurationCounts since(DurationCounts earlier) {
        if (equals(earlier)) {
            return NONE;
        }
        long[] increase = new long[counts.length];
        for (int bucket = 0; bucket < increase.length; bucket++) {
            increase[bucket] = Math.max(counts[bucket] - earlier.count(bucket), 0);
        }
        return of(increase);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DurationCounts that && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return Arrays.toString(counts);
    }
}
