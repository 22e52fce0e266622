package io.vtagent.record;

/**
 * How much of a carrier's time may be spent on walking stacks. It is measured as time that passes: nothing tells the processor time of a
 * virtual thread. The first walks load classes and wait for a processor, as all that starts does; what they took beyond the usual is
 * not held against the later ones, or the pins of a start would have no sites.
 *
 * <p>Most stacks are walked when a pin begins, before anybody knows how long it will be; with many short pins, that uses the budget up.
 * Those pins that have turned out to be long have another one. For the thread that is mounted on the carrier.
 */
final class WalkBudget {
    /** Stacks are walked for at most this part of the time that a carrier is held ... */
    static final int SHARE = 50;

    /** ... those of pins that are about to begin only while all walks took no more than this: few of those will last, and they serve to tell of them meanwhile ... */
    static final int SHARE_AHEAD = 200;

    /** ... and this much. */
    static final long ALLOWANCE_NANOS = 100_000_000;

    /** So many walks at the beginning ... */
    static final int FIRST = 300;

    /** ... count as no more than this each: all of them are within the allowance. */
    static final long MOST_OF_FIRST_NANOS = 300_000;

    /** When that is used up, those of pins that have lasted for so long are walked all the same ... */
    static final long LONG_NANOS = 1_000_000;

    /** ... for at most this part of the held time ... */
    static final int SHARE_OF_LONG = 10;

    /** ... and this much. */
    static final long ALLOWANCE_OF_LONG_NANOS = 50_000_000;

    private long heldNanos;
    private long walkNanos;
    private long walkOfLongNanos;
    private int walks;

    /** Whether the stack of a pin that is held for {@code durationNanos} so far may be walked. */
    boolean allowsWalk(long durationNanos) {
        return isLeft(durationNanos) || (durationNanos >= LONG_NANOS && isLeftOfLong(durationNanos));
    }

    /** Whether the stack of a pin that is about to begin may be walked. */
    boolean allowsLookingAhead() {
        return walkNanos <= heldNanos / SHARE_AHEAD + ALLOWANCE_NANOS;
    }

    private boolean isLeft(long durationNanos) {
        return walkNanos <= (heldNanos + durationNanos) / SHARE + ALLOWANCE_NANOS;
    }

    private boolean isLeftOfLong(long durationNanos) {
        return walkOfLongNanos <= (heldNanos + durationNanos) / SHARE_OF_LONG + ALLOWANCE_OF_LONG_NANOS;
    }

    /** A pin has ended. */
    void held(long durationNanos) {
        heldNanos += durationNanos;
    }

    /** The stack of a pin that was held for {@code durationNanos} so far was walked, or that was tried. */
    void walked(long durationNanos, long spentNanos) {
        boolean first = walks < FIRST;
        walks += first ? 1 : 0;
        long countedNanos = first ? Math.min(spentNanos, MOST_OF_FIRST_NANOS) : spentNanos;
        if (isLeft(durationNanos)) {
            walkNanos += countedNanos;
        } else {
            walkOfLongNanos += countedNanos;
        }
    }
}
