package io.vtagent.sampler;

/**
 * How long a pin lasted, as far as looks tell: when it was first seen, it may have begun at any
 * time since the look before. For a pin that is seen once that is the whole time in between, which
 * makes up for those that no look has seen. One that is seen again began, on average, in the middle
 * of it; half of the time to the next look stands for what comes after the look that saw it last.
 * Where looks come as often as before, that is the whole time in between as well.
 *
 * @param onceNanos the time before the first look that counts if there is no second one
 * @param beforeNanos what counts otherwise besides the time from the first look to the newest
 * @param laterNanos from the first look to the newest
 * @param stoppedNanos for how much of all that the JVM had stopped all threads
 * @param aheadNanos what has been counted for its carrier already ({@link OvercountCorrection})
 * @param afterRest whether the look before was longer ago than looks are where something is held
 *     now and then
 * @param samples the number of samples that saw it
 */
record DurationEstimate(
        long onceNanos,
        long beforeNanos,
        long laterNanos,
        long stoppedNanos,
        long aheadNanos,
        boolean afterRest,
        int samples) {
    /**
     * Seen for the first time so long after the look before, where looks come as often as they did.
     */
    static DurationEstimate once(long elapsedNanos) {
        return once(elapsedNanos, 1, 1);
    }

    /**
     * Seen for the first time.
     *
     * @param elapsedNanos since the look before
     * @param meanNanos how long it was to be until this look, on average
     * @param nextNanos how long it is from one look to the next, on average, while something is
     *     seen
     */
    static DurationEstimate once(long elapsedNanos, long meanNanos, long nextNanos) {
        double half = elapsedNanos / 2.0;
        double after = Math.min((double) nextNanos / Math.max(meanNanos, 1), 1) * half;
        return new DurationEstimate(elapsedNanos, (long) (half + after), 0, 0, 0, false, 1);
    }

    /** This one, when the JVM had stopped all threads for so long until now. */
    DurationEstimate stopped(long nanos) {
        return new DurationEstimate(
                onceNanos,
                beforeNanos,
                laterNanos,
                stoppedNanos + nanos,
                aheadNanos,
                afterRest,
                samples);
    }

    /** This one, if it was first seen after a rest of the looks. */
    DurationEstimate afterRest(boolean rested) {
        return new DurationEstimate(
                onceNanos, beforeNanos, laterNanos, stoppedNanos, aheadNanos, rested, samples);
    }

    /** This one, for whose carrier so much has been counted already. */
    DurationEstimate after(long countedNanos) {
        return new DurationEstimate(
                onceNanos, beforeNanos, laterNanos, stoppedNanos, countedNanos, afterRest, samples);
    }

    /** Seen again. */
    DurationEstimate again(long elapsedNanos) {
        return new DurationEstimate(
                onceNanos,
                beforeNanos,
                laterNanos + elapsedNanos,
                stoppedNanos,
                aheadNanos,
                afterRest,
                samples + 1);
    }

    boolean isOnce() {
        return laterNanos == 0;
    }

    /** Never shorter for having been seen again. */
    long nanos() {
        return alone() - madeUpFor(alone());
    }

    /** What it would count for alone. */
    private long alone() {
        return Math.max(onceNanos, beforeNanos + laterNanos);
    }

    private long madeUpFor(long aloneNanos) {
        return Math.min(aheadNanos, aloneNanos / 2);
    }

    /**
     * What it has counted for more than one would that is as long and among others, and what it has
     * not made up for itself.
     */
    long leftAheadNanos() {
        long more = afterRest ? alone() - (beforeNanos + laterNanos) : 0;
        return more + aheadNanos - madeUpFor(alone());
    }

    /** The same, without what the JVM had stopped all threads for. */
    long nanosBetweenStops() {
        long betweenStops = Math.max(alone() - stoppedNanos, 0);
        return betweenStops - madeUpFor(betweenStops);
    }

    /** The longest that it can have lasted until it was seen last, if no look came very late. */
    long mostNanos() {
        return onceNanos + laterNanos;
    }
}
