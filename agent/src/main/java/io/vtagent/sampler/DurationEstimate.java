package io.vtagent.sampler;

import io.vtagent.kernel.LastRuns;

/**
 * The estimated duration of a sampled pin. A pin may have begun at any time since the sample before
 * its first one. A pin that is in one sample only counts for that whole interval, which on average
 * compensates for the pins that no sample hits. A pin that is in several samples counts from its
 * start to its end, which the kernel may report ({@link LastRuns}). Otherwise it began, on average,
 * in the middle of that interval, and ended in the middle of the next one.
 *
 * @param singleSampleNanos the duration if there is only one sample: the interval before it
 * @param beforeNanos the time from the start to the first sample, if there are several samples
 * @param afterNanos the time from the newest sample to the end, if there are several samples
 * @param spanNanos the time from the first sample to the newest
 * @param pausedNanos the part of the duration in which the JVM had paused all threads
 * @param overcountNanos the time that earlier pins of the carrier have counted in excess ({@link
 *     OvercountCorrection})
 * @param afterIdle whether the sampler was idle before the first sample, so that the interval was
 *     longer than it is while carriers are held now and then
 * @param samples the number of samples
 */
record DurationEstimate(
        long singleSampleNanos,
        long beforeNanos,
        long afterNanos,
        long spanNanos,
        long pausedNanos,
        long overcountNanos,
        boolean afterIdle,
        int samples) {
    /**
     * Returns the estimate after the first sample, {@code elapsedNanos} after the one before, where
     * the sampling interval stays the same.
     */
    static DurationEstimate firstSample(long elapsedNanos) {
        return firstSample(elapsedNanos, 1, 1);
    }

    /**
     * Returns the estimate after the first sample.
     *
     * @param elapsedNanos the time since the sample before
     * @param meanNanos the mean interval with which the first sample was scheduled
     * @param nextNanos the mean interval while there is a sampled pin
     */
    static DurationEstimate firstSample(long elapsedNanos, long meanNanos, long nextNanos) {
        double half = elapsedNanos / 2.0;
        double after = Math.min((double) nextNanos / Math.max(meanNanos, 1), 1) * half;
        return new DurationEstimate(
                elapsedNanos, (long) half, (long) (half + after) - (long) half, 0, 0, 0, false, 1);
    }

    /**
     * Returns this estimate, after the first sample, for a pin that began {@code nanos} before that
     * sample. It cannot have begun before the previous sample, which has not found it.
     */
    DurationEstimate begunBefore(long nanos) {
        return with(Math.clamp(nanos, 0, singleSampleNanos), afterNanos, spanNanos, samples);
    }

    /** Returns this estimate for a pin that has ended {@code nanos} after its newest sample. */
    DurationEstimate endedAfter(long nanos) {
        return with(beforeNanos, nanos, spanNanos, samples);
    }

    /** Returns this estimate after another sample. */
    DurationEstimate sampledAgain(long elapsedNanos) {
        return with(beforeNanos, afterNanos, spanNanos + elapsedNanos, samples + 1);
    }

    private DurationEstimate with(
            long newBeforeNanos, long newAfterNanos, long newSpanNanos, int newSamples) {
        return new DurationEstimate(
                singleSampleNanos,
                newBeforeNanos,
                newAfterNanos,
                newSpanNanos,
                pausedNanos,
                overcountNanos,
                afterIdle,
                newSamples);
    }

    /** Returns this estimate with {@code nanos} more in which the JVM had paused all threads. */
    DurationEstimate plusPaused(long nanos) {
        return with(pausedNanos + nanos, overcountNanos, afterIdle);
    }

    /** Returns this estimate for a carrier whose overcount is {@code newOvercountNanos}. */
    DurationEstimate withOvercount(long newOvercountNanos) {
        return with(pausedNanos, newOvercountNanos, afterIdle);
    }

    /** Returns this estimate with the given value of {@link #afterIdle()}. */
    DurationEstimate afterIdle(boolean idle) {
        return with(pausedNanos, overcountNanos, idle);
    }

    private DurationEstimate with(long newPausedNanos, long newOvercountNanos, boolean idle) {
        return new DurationEstimate(
                singleSampleNanos,
                beforeNanos,
                afterNanos,
                spanNanos,
                newPausedNanos,
                newOvercountNanos,
                idle,
                samples);
    }

    boolean isSingleSample() {
        return spanNanos == 0;
    }

    /** Returns the estimated duration. A further sample never makes it shorter. */
    long nanos() {
        return uncorrectedNanos() - correctionNanos(uncorrectedNanos());
    }

    /** Returns the duration without overcount correction. */
    private long uncorrectedNanos() {
        return Math.max(singleSampleNanos, ownNanos());
    }

    /**
     * Returns the duration that would have been right if other pins of the carrier followed. Even
     * if the start is known, the time before it then stands for earlier ones that no sample has
     * hit, half of it on average.
     */
    private long amongOthersNanos() {
        return Math.max(beforeNanos, singleSampleNanos / 2) + spanNanos + afterNanos;
    }

    /** Returns the duration of a pin that stands for no others, however rare samples are. */
    long ownNanos() {
        return beforeNanos + spanNanos + afterNanos;
    }

    private long correctionNanos(long uncorrectedNanos) {
        return Math.min(overcountNanos, uncorrectedNanos / 2);
    }

    /**
     * Returns the nanoseconds overcounted by this pin and earlier ones that following pins on the
     * same carrier must still compensate for.
     */
    long remainingOvercountNanos() {
        long more = afterIdle ? Math.max(uncorrectedNanos() - amongOthersNanos(), 0) : 0;
        return more + overcountNanos - correctionNanos(uncorrectedNanos());
    }

    /** Returns the estimated duration without the time in which the JVM had paused all threads. */
    long nanosOutsidePauses() {
        long outsidePauses = Math.max(uncorrectedNanos() - pausedNanos, 0);
        return outsidePauses - correctionNanos(outsidePauses);
    }

    /**
     * Returns the longest possible duration up to the newest sample, provided that no sample was
     * very late.
     */
    long maxNanos() {
        return singleSampleNanos + spanNanos;
    }
}
