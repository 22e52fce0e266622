package io.vtagent.record;

/**
 * The resolution with which durations are counted. {@link #FINE} has four buckets for each power of
 * two between 1 &micro;s and 36 minutes, so that the durations of a bucket are at most 25 % apart.
 * {@link #SINGLE} has one bucket.
 */
public enum Buckets {
    SINGLE(1),
    FINE(4 * (41 - 10 + 1));

    private static final int LOWEST_POWER = 10;

    private final int count;

    Buckets(int count) {
        this.count = count;
    }

    int count() {
        return count;
    }

    int of(long nanos) {
        if (this == SINGLE || nanos < 1L << LOWEST_POWER) {
            return 0;
        }
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >>> (power - 2)) & 3;
        return Math.min(4 * (power - LOWEST_POWER) + quarter, count - 1);
    }
}
