package io.vtagent.hook;

import io.vtagent.pin.Site;

/**
 * Compensates for carriers that are held. The default methods never do. Unless its Javadoc names
 * another thread, a method is only called on the virtual thread that holds its carrier.
 */
public interface CarrierCompensator {
    /** The token that {@link #begin} returns if there is nothing to release. */
    long NOTHING = 0;

    /**
     * The duration of a pin that was not timed, because the monitor entry turned out not to block.
     */
    long UNTIMED = 0;

    /** Never compensates. */
    CarrierCompensator NONE = new CarrierCompensator() {};

    /** Loads and links what the other methods need. Called on a thread of the agent. */
    default void warmUp() {}

    /**
     * Returns whether {@link #begin} would do anything for a pin at {@code site}. Must not block or
     * throw.
     */
    default boolean wants(Site site) {
        return false;
    }

    /**
     * Returns whether {@link #begin} would compensate for a thread on {@code carrier}, which may
     * belong to any scheduler. Must not block or throw.
     */
    default boolean compensates(Thread carrier) {
        return true;
    }

    /**
     * Called when a pin at {@code site} begins. Must not block or throw.
     *
     * @return the token to pass to {@link #end}: {@link #NOTHING}; a positive number if the pin is
     *     compensated; a negative number if it is not compensated but there is something to release
     */
    default long begin(Site site) {
        return NOTHING;
    }

    /** Returns whether the pin for which {@link #begin} returned {@code begun} is compensated. */
    static boolean isCompensated(long begun) {
        return begun > 0;
    }

    /**
     * Called when a pin has ended, on its thread. Called on a thread of the agent if the hook
     * failed that should have called it, and for a pin in progress if compensation is switched off.
     * Must not block or throw; if it does throw, nothing was released.
     *
     * @param begun the token that {@link #begin} returned
     * @param heldNanos the duration of the pin, or {@link #UNTIMED}
     */
    default void end(long begun, long heldNanos) {}

    /**
     * Called when a virtual thread has unmounted from the current thread. The current thread is a
     * carrier, and the method may put it to sleep. Must not throw.
     */
    default void unmounted() {}

    /**
     * Called when the scheduler has added a carrier because {@link #begin} requested it. Must not
     * block or throw.
     */
    default void carrierAdded() {}

    /**
     * Called when {@code maker}, a platform thread, has created a carrier and is about to start it.
     * Must not block or throw.
     */
    default void carrierMade(Thread maker) {}
}
