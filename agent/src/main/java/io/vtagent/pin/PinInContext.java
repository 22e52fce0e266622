package io.vtagent.pin;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A pin and the context that its thread has while it lasts. The sampler's thread changes it while
 * the pin is in progress. Thread-safe.
 */
public final class PinInContext {
    private final Object context;
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile @Nullable EndedPin pin;

    /**
     * @param pin null if the pin is too short so far
     */
    public PinInContext(Object context, @Nullable EndedPin pin) {
        this.context = context;
        this.pin = pin;
    }

    /** Returns the context; the same object as long as the thread does not change it. */
    public Object context() {
        return context;
    }

    /**
     * Returns the pin without its thread, as if it had ended at the newest sample if it has not;
     * null if it does not count.
     */
    public @Nullable EndedPin pin() {
        return pin;
    }

    /** Sets what {@link #pin} returns. */
    public void become(@Nullable EndedPin newPin) {
        pin = newPin;
    }

    /** Returns whether this call is the first. */
    public boolean take() {
        return taken.compareAndSet(false, true);
    }

    /** Returns whether {@link #take} has been called. */
    public boolean isTaken() {
        return taken.get();
    }
}
