package io.vtagent.record;

/** Where the pins go that have ended. */
@FunctionalInterface
public interface PinSink {
    /**
     * Called by one thread at a time, none of them virtual.
     *
     * @param since the pins of {@code key} that ended since the last call for it; at least one
     */
    void accept(PinKey key, DurationTotals since);
}
