package io.vtagent.watch;

/**
 * How long a pin lasted, as far as looks tell: when it was first seen, it may have begun at any time since the look before. For a pin that is
 * seen once that is the whole time in between, which makes up for those that no look has seen. One that is seen again began, on
 * average, in the middle of it; half of the time to the next look stands for what comes after the look that saw it last. Where looks come as
 * often as before, that is the whole time in between as well.
 *
 * @param onceNanos the time before the first look that counts if there is no second one
 * @param beforeNanos what counts otherwise besides the time from the first look to the newest
 * @param laterNanos from the first look to the newest
 * @param stoppedNanos for how much of all that the JVM had stopped all threads
 */
record SeenTime(long onceNanos, long beforeNanos, long laterNanos, long stoppedNanos) {
    /** Seen for the first time so long after the look before, where looks come as often as they did. */
    static SeenTime once(long elapsedNanos) {
        return once(elapsedNanos, 1, 1);
    }

    /**
     * Seen for the first time.
     *
     * @param elapsedNanos since the look before
     * @param meanNanos how long it was to be until this look, on average
     * @param nextNanos how long it is from one look to the next, on average, while something is seen
     */
    static SeenTime once(long elapsedNanos, long meanNanos, long nextNanos) {
        double half = elapsedNanos / 2.0;
        double after = Math.min((double) nextNanos / Math.max(meanNanos, 1), 1) * half;
        return new SeenTime(elapsedNanos, (long) (half + after), 0, 0);
    }

    /** This one, when the JVM had stopped all threads for so long until now. */
    SeenTime stopped(long nanos) {
        return new SeenTime(onceNanos, beforeNanos, laterNanos, stoppedNanos + nanos);
    }

    /** Seen again. */
    SeenTime again(long elapsedNanos) {
        return new SeenTime(onceNanos, beforeNanos, laterNanos + elapsedNanos, stoppedNanos);
    }

    boolean isOnce() {
        return laterNanos == 0;
    }

    /** Never shorter for having been seen again. */
    long nanos() {
        return Math.max(onceNanos, beforeNanos + laterNanos);
    }

    /** The same, without what the JVM had stopped all threads for. */
    long nanosBetweenStops() {
        return Math.max(nanos() - stoppedNanos, 0);
    }

    /** The longest that it can have lasted until it was seen last, if no look came very late. */
    long mostNanos() {
        return onceNanos + laterNanos;
    }
}
