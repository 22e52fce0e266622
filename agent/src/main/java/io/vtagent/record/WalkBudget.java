package io.vtagent.record;

/**
 * How much of a carrier's time may be spent on walking stacks. It is measured as time that passes: nothing tells the processor time of a
 * virtual thread. The first walks load classes and wait for a processor, as all that starts does; what they took beyond the usual is
 * not held against the later ones, or the pins of a start would have no sites. For the thread that is mounted on the carrier.
 */
final class WalkBudget {
    /** Stacks are walked for at most this part of the time that a carrier is held ... */
    static final int SHARE = 50;

    /** ... and this much. */
    static final long ALLOWANCE_NANOS = 100_000_000;

    /** So many walks at the beginning ... */
    static final int FIRST = 300;

    /** ... count as no more than this each: all of them are within the allowance. */
    static final long MOST_OF_FIRST_NANOS = 300_000;

    private long heldNanos;
    private long walkNanos;
    private int walks;

    /** Whether the stack of a pin that is held for {@code durationNanos} so far may be walked. */
    boolean allowsWalk(long durationNanos) {
        return walkNanos <= (heldNanos + durationNanos) / SHARE + ALLOWANCE_NANOS;
    }

    /** A pin has ended. */
    void held(long durationNanos) {
        heldNanos += durationNanos;
    }

    /** The stack of a pin was walked, or that was tried. */
    void walked(long spentNanos) {
        boolean first = walks < FIRST;
        walks += first ? 1 : 0;
        walkNanos += first ? Math.min(spentNanos, MOST_OF_FIRST_NANOS) : spentNanos;
    }
}
