package io.vtagent.hook;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The token that {@link CarrierCompensator#begin} returned for a held carrier, until it is
 * released. Set by the thread of the interval. Taken once, by that thread or by one that finds that
 * the thread could not take it. Thread-safe.
 */
final class CompensationToken {
    /**
     * Odd while there is something to release. It distinguishes one compensation from the next,
     * which {@link #begun} alone does not.
     */
    private final AtomicLong number = new AtomicLong();

    /**
     * Changes only while {@link #number} is even, so a read of it is valid if the number is the
     * same afterwards.
     */
    private long begun;

    private boolean asking;
    private boolean carrierMade;

    void begun(long newBegun) {
        if (newBegun != CarrierCompensator.NOTHING) {
            begun = newBegun;
            number.set(number.get() | 1);
        }
    }

    /** Returns the number of the compensation to release; 0 if there is none. */
    long number() {
        long now = number.get();
        return isOdd(now) ? now : 0;
    }

    /**
     * Takes the token of the compensation {@code expected}, once. Returns {@link
     * CarrierCompensator#NOTHING} if it was taken before, whatever has begun since.
     */
    long take(long expected) {
        if (expected == 0) {
            return CarrierCompensator.NOTHING;
        }
        long taken = begun;
        return number.compareAndSet(expected, expected + 1) ? taken : CarrierCompensator.NOTHING;
    }

    boolean isToBeReleased() {
        return number() != 0;
    }

    private static boolean isOdd(long number) {
        return (number & 1) != 0;
    }

    boolean isCompensated() {
        return isToBeReleased() && CarrierCompensator.isCompensated(begun);
    }

    /** Returns whether compensation was requested and refused. */
    boolean isRefused() {
        return isToBeReleased() && !CarrierCompensator.isCompensated(begun);
    }

    /**
     * Marks whether the thread on the carrier is requesting compensation now. A carrier that is
     * created meanwhile is created for it.
     */
    void ask(boolean nowAsking) {
        asking = nowAsking;
    }

    void carrierMade() {
        carrierMade |= asking;
    }

    /** Returns whether a carrier was created for this token since the last call. */
    boolean takeCarrierMade() {
        boolean made = carrierMade;
        carrierMade = false;
        return made;
    }
}
