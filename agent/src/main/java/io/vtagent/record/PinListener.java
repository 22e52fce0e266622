package io.vtagent.record;

import org.jspecify.annotations.Nullable;

/** Is told of each pin that is not shorter than the threshold for stacks, when it has ended and been counted. */
@FunctionalInterface
public interface PinListener {
    /**
     * Called on the virtual thread that held its carrier and still does, where the rules of hooks hold: no class is loaded, nothing is
     * waited for that could last, and what it throws nobody hears of. Pins that were noticed from outside are told on a thread of the
     * agent's.
     */
    void ended(EndedPin pin);

    /** Whether it is asked for the {@link #owner} of each pin that begins. Always the same. */
    default boolean knowsOwners() {
        return false;
    }

    /** Whom the pin that begins on the current virtual thread will belong to, if the listener knows; by the same rules. */
    default @Nullable Object owner() {
        return null;
    }
}
