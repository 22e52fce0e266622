package io.vtagent.pin;

/**
 * The resolution with which durations are counted. {@link #SINGLE} has one bucket. {@link #COARSE}
 * has bounds that people think in, from 100 &micro;s to 10 s in steps of 1, 2 and 5: sites have
 * pins of 1 ms and more by default, and shorter ones with the option {@code stack-threshold}.
 * {@link #FINE} has four buckets for each power of two between 1 &micro;s and 36 minutes, so that
 * the durations of a bucket are at most 25 % apart.
 */
public enum Buckets {
    SINGLE(1),
    COARSE(17),
    FINE(4 * (41 - 10 + 1));

    /** The bounds between the buckets of {@link #COARSE}. */
    private static final long[] COARSE_BOUNDS_NANOS = {
        100_000L,
        200_000L,
        500_000L,
        1_000_000L,
        2_000_000L,
        5_000_000L,
        10_000_000L,
        20_000_000L,
        50_000_000L,
        100_000_000L,
        200_000_000L,
        500_000_000L,
        1_000_000_000L,
        2_000_000_000L,
        5_000_000_000L,
        10_000_000_000L
    };

    private static final int LOWEST_POWER = 10;

    private final int count;

    Buckets(int count) {
        this.count = count;
    }

    /** Returns the number of buckets. */
    public int count() {
        return count;
    }

    /**
     * Returns the bounds between the buckets of {@link #COARSE}, in nanoseconds; each belongs to
     * the upper bucket.
     */
    public static long[] coarseBoundsNanos() {
        return COARSE_BOUNDS_NANOS.clone();
    }

    /** Returns the index of the bucket for that duration. */
    public int of(long nanos) {
        if (this == SINGLE) {
            return 0;
        }
        return this == COARSE ? coarse(nanos) : fine(nanos);
    }

    private static int coarse(long nanos) {
        int bucket = 0;
        while (bucket < COARSE_BOUNDS_NANOS.length && nanos >= COARSE_BOUNDS_NANOS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    private static int fine(long nanos) {
        if (nanos < 1L << LOWEST_POWER) {
            return 0;
        }
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >>> (power - 2)) & 3;
        return Math.min(4 * (power - LOWEST_POWER) + quarter, FINE.count - 1);
    }
}
