package io.vtagent.pin;

import org.jspecify.annotations.Nullable;

/**
 * Is notified of each pin that reaches the threshold for stacks, after it has ended and been
 * counted.
 */
@FunctionalInterface
public interface PinListener {
    /**
     * Called on the virtual thread of the pin, which cannot unmount meanwhile; on a thread of the
     * agent if the sampler or JFR found the pin. The rules for hooks apply: the method must not
     * load a class or wait for anything that could last, and its exceptions are discarded.
     */
    void ended(EndedPin pin);

    /**
     * Returns whether {@link #owner} is called for each pin that begins. The result never changes.
     */
    default boolean knowsOwners() {
        return false;
    }

    /**
     * Returns the owner of the pin that begins on the current virtual thread, or null if the
     * listener does not know one. The rules of {@link #ended} apply.
     */
    default @Nullable Object owner() {
        return null;
    }
}
