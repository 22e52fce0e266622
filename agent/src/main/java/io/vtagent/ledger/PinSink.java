package io.vtagent.ledger;

import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;

/** A receiver of the totals of ended pins. */
@FunctionalInterface
public interface PinSink {
    /**
     * Called by one platform thread at a time.
     *
     * @param since the pins of {@code key} that ended since the last call for it; at least one
     */
    void accept(PinKey key, DurationTotals since);
}
