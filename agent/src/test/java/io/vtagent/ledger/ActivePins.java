package io.vtagent.ledger;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import org.jspecify.annotations.Nullable;

/** Creates pins in progress for tests. */
public final class ActivePins {
    private ActivePins() {}

    /** Creates a pin that a hook has reported and that has no owner. */
    public static ActivePin of(
            PinKind kind,
            PinReason reason,
            long ageNanos,
            Thread thread,
            Thread carrier,
            boolean compensated,
            @Nullable Site site,
            @Nullable Object monitor) {
        return new ActivePin(
                kind,
                reason,
                ageNanos,
                thread,
                carrier,
                compensated,
                site,
                monitor,
                null,
                Samples.NONE,
                false);
    }
}
