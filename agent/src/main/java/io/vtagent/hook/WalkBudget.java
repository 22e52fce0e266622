package io.vtagent.hook;

/**
 * The budget for walking stacks, as a share of a carrier's held time. Walks are measured in elapsed
 * time, because the CPU time of a virtual thread is not available. The first walks load classes and
 * wait for a CPU, as does everything at startup. Their excess over the usual time does not count
 * against later walks; otherwise the pins of a startup would have no sites.
 *
 * <p>Most stacks are walked when a pin begins, before its duration is known; many short pins use
 * the budget up. Pins that have turned out to be long have another budget. For the thread that is
 * mounted on the carrier.
 */
final class WalkBudget {
    /**
     * Stacks are walked for at most 1/{@code SHARE} of the time that a carrier is held, plus {@link
     * #ALLOWANCE_NANOS}.
     */
    static final int SHARE = 50;

    /**
     * Stacks of pins that are about to begin are walked only while the walks within that budget
     * took at most 1/{@code SHARE_AHEAD} of the held time, plus {@link #ALLOWANCE_NANOS}. Few of
     * these pins will last; their stacks serve to report them while they are in progress.
     */
    static final int SHARE_AHEAD = 200;

    /** The time that walks may take beyond their share. */
    static final long ALLOWANCE_NANOS = 100_000_000;

    /**
     * The number of walks at the beginning that count as at most {@link #MAX_OF_FIRST_NANOS} each.
     */
    static final int FIRST = 300;

    /** The most that one of the first walks counts. All of them are within the allowance. */
    static final long MAX_OF_FIRST_NANOS = 300_000;

    /** Stacks of pins that have lasted this long are also walked when that budget is used up. */
    static final long LONG_NANOS = 1_000_000;

    /**
     * Walks of long pins beyond that budget take at most 1/{@code SHARE_OF_LONG} of the held time,
     * plus {@link #ALLOWANCE_OF_LONG_NANOS}.
     */
    static final int SHARE_OF_LONG = 10;

    /** The time that walks of long pins may take beyond their share. */
    static final long ALLOWANCE_OF_LONG_NANOS = 50_000_000;

    private long heldNanos;
    private long walkNanos;
    private long walkOfLongNanos;
    private int walks;

    /**
     * Returns whether the stack of a pin that has lasted {@code durationNanos} so far may be
     * walked.
     */
    boolean allowsWalk(long durationNanos) {
        return isLeft(durationNanos)
                || (durationNanos >= LONG_NANOS && isLeftOfLong(durationNanos));
    }

    /** Returns whether the stack of a pin that is about to begin may be walked. */
    boolean allowsWalkAtBegin() {
        return walkNanos <= heldNanos / SHARE_AHEAD + ALLOWANCE_NANOS;
    }

    private boolean isLeft(long durationNanos) {
        return walkNanos <= (heldNanos + durationNanos) / SHARE + ALLOWANCE_NANOS;
    }

    private boolean isLeftOfLong(long durationNanos) {
        return walkOfLongNanos
                <= (heldNanos + durationNanos) / SHARE_OF_LONG + ALLOWANCE_OF_LONG_NANOS;
    }

    /** Records that a pin has ended. */
    void held(long durationNanos) {
        heldNanos += durationNanos;
    }

    /**
     * Records that the stack of a pin that had lasted {@code durationNanos} was walked, or that the
     * walk failed.
     */
    void walked(long durationNanos, long spentNanos) {
        boolean first = walks < FIRST;
        walks += first ? 1 : 0;
        long countedNanos = first ? Math.min(spentNanos, MAX_OF_FIRST_NANOS) : spentNanos;
        if (isLeft(durationNanos)) {
            walkNanos += countedNanos;
        } else {
            walkOfLongNanos += countedNanos;
        }
    }
}
