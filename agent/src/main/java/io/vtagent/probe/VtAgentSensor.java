package io.vtagent.probe;

import org.jspecify.annotations.Nullable;

/**
 * Who is told by {@link VtAgentProbe}. Every method but {@link #submitFailed} and {@link #carrierMade} is called on the virtual thread in question while it
 * is mounted, so an implementation may not take a lock, park, or call code that does.
 */
public interface VtAgentSensor {

    /** The JVM refused to unmount the current virtual thread. {@code reason} is a constant's name of {@code Continuation.Pinned}. */
    default void yieldFailed(String reason) {}

    /** @return what {@link #parkEnded} is to be given */
    default @Nullable Object parkBegan() {
        return null;
    }

    /** @param begun what {@link #parkBegan} gave, or null */
    default void parkEnded(@Nullable Object begun) {}

    /** @return what {@link #waitEnded} is to be given */
    default @Nullable Object waitBegan() {
        return null;
    }

    /**
     * {@code Object.wait} has returned, perhaps on another carrier than it began on.
     *
     * @param begun what {@link #waitBegan} gave, or null
     * @param thrown what it threw, or null
     */
    default void waitEnded(@Nullable Object begun, @Nullable Throwable thrown) {}

    /**
     * The current virtual thread is about to enter {@code monitor}, which is locked or inflated, and which it does not own.
     *
     * @return whether {@link #enterEnded()} is to be called as soon as it has entered
     */
    default boolean enterBegan(Object monitor) {
        return false;
    }

    default void enterEnded() {}

    /** The scheduler was asked for a carrier to stand in for the current one. */
    default void compensationTried(boolean compensated) {}

    /** The scheduler has added a carrier. Called on any thread. */
    default void carrierMade() {}

    default void ioBegan() {}

    default void ioEnded() {}

    /** A virtual thread has left the current thread, a carrier. */
    default void unmounted() {}

    /** The scheduler refused a virtual thread. Called by whoever meant to start it or go on with it, on any thread. */
    default void submitFailed() {}
}
