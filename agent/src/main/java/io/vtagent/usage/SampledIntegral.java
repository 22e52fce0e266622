package io.vtagent.usage;

/**
 * The integral over time of a figure of which only samples are known, such as the number of held
 * carriers. Samples are more frequent while carriers are held, so neither of the usual rules would
 * be right on average.
 *
 * <p>A value that one sample alone has found counts for the whole interval before it, which
 * compensates for what no sample finds. A value that several samples have found counts from the
 * first to the last of them, plus half of the interval on either side. {@link #add} is for one
 * thread, the rest for any.
 */
final class SampledIntegral {
    private double newest;

    /** The part of {@link #newest} that the sample before it did not find. */
    private double fresh;

    private double freshNanos;

    /**
     * The sum that was counted in excess, as it turned out later, and is to be deducted. The total
     * never decreases.
     */
    private double excess;

    private volatile double sum;

    /**
     * Adds a sample.
     *
     * @param elapsedNanos the time since the sample before
     * @param firstNanos the part of it that may count for what is new
     * @return how much the integral has grown
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes
    double add(double value, long elapsedNanos, long firstNanos) {
        double stays = Math.min(newest, value);
        double begins = value - stays;
        double ends = newest - stays;
        double freshEnds = Math.min(fresh, ends);
        double ofStaying = (fresh - freshEnds) * freshNanos / 2;
        double more =
                stays * elapsedNanos + begins * firstNanos + (ends - freshEnds) * elapsedNanos / 2;
        double deducted = Math.min(excess + ofStaying, more);
        double left = excess + ofStaying - deducted;
        double earlier = Math.max(excess - deducted, 0);
        // what has ended needs no deduction: it was found by chance, in place of others
        excess = newest == 0 ? 0 : earlier * stays / newest + left - earlier;
        newest = value;
        fresh = begins;
        freshNanos = firstNanos;
        sum += more - deducted;
        return more - deducted;
    }

    /** Returns the integral until the newest sample. */
    long sum() {
        return (long) sum;
    }
}
