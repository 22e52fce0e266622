package io.vtagent.pin;

import org.jspecify.annotations.Nullable;

/**
 * Gets pins that the sampler finds, with the contexts that their threads have meanwhile. Called on
 * the sampler's thread.
 */
public interface SampledPinListener {
    /** Returns the shortest pin that is wanted. The result never changes. */
    long minNanos();

    /**
     * Returns the context of {@code thread}, a virtual thread that holds its carrier; null if it
     * has none. Must not run code of the application.
     */
    @Nullable Object contextOf(Thread thread);

    /**
     * Called once for each pin, when it has lasted that long. It may last on, and then {@code pin}
     * changes.
     */
    void seen(PinInContext pin);
}
