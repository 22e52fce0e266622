package io.vtagent.pin;

/**
 * The samples that the figures of sampled pins rest on. The durations of such pins are estimated.
 *
 * @param pins the number of sampled pins
 * @param count the number of samples that hit them
 * @param seenNanos the longest time from the first to the last sample of one pin
 */
public record Samples(long pins, long count, long seenNanos) {
    /** No pin was sampled: the figures are exact. */
    public static final Samples NONE = new Samples(0, 0, 0);

    /** A pin that fewer samples hit may have been an accident of the sampling. */
    private static final int MIN_COUNT = 3;

    /** A sampled pin of this duration is certain, however few samples hit it. */
    private static final long CERTAIN_NANOS = 10_000_000;

    /** Returns whether these samples are too few to call the place that they hit a site. */
    public boolean areTooFew() {
        return count < MIN_COUNT && seenNanos < CERTAIN_NANOS;
    }

    /** Returns the samples of both. */
    public Samples and(Samples other) {
        return new Samples(
                pins + other.pins, count + other.count, Math.max(seenNanos, other.seenNanos));
    }
}
