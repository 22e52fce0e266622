package io.vtagent.watch;

/**
 * How long a pin lasted, as far as looks tell: when it was first seen, it may have begun at any time since the look before. For a pin that is
 * seen once that is the whole time in between, which makes up for those that no look has seen. One that is seen again began, on
 * average, in the middle of it; half of a period more stands for the time after the look that saw it last.
 *
 * @param onceNanos the time before the first look that counts if there is no second one
 * @param beforeNanos the time before the first look that counts otherwise
 * @param laterNanos from the first look to the newest
 * @param stoppedNanos for how much of all that the JVM had stopped all threads
 */
record SeenTime(long onceNanos, long beforeNanos, long laterNanos, long stoppedNanos) {
    /**
     * Seen for the first time.
     *
     * @param elapsedNanos since the look before
     * @param periodNanos the time between two looks, on average, but where nothing has been held for a while
     */
    static SeenTime once(long elapsedNanos, long periodNanos) {
        long longerNanos = Math.max(elapsedNanos - periodNanos, 0);
        return new SeenTime(elapsedNanos, elapsedNanos - longerNanos / 2, 0, 0);
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

    /** The longest that it can have lasted until it was seen last. */
    long mostNanos() {
        return onceNanos + laterNanos;
    }
}
