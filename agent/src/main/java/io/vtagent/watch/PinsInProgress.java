package io.vtagent.watch;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.record.Site;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.SnapshotStack;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pins in progress, of all sensors, with their sites as far as they are known. Thread-safe. */
final class PinsInProgress {
    private final Ledger ledger;
    private final SampledPins sampledPins;
    private final boolean monitorsPin;
    private final FramesOfInterest wanted;

    PinsInProgress(Ledger ledger, SampledPins sampledPins, boolean monitorsPin, FramesOfInterest wanted) {
        this.ledger = ledger;
        this.sampledPins = sampledPins;
        this.monitorsPin = monitorsPin;
        this.wanted = wanted;
    }

    List<ActivePin> all() {
        List<ActivePin> all = new ArrayList<>();
        for (ActivePin pin : ledger.active()) {
            // where monitors do not pin, a thread that begins to wait most likely unmounts
            ActivePin held = monitorsPin || pin.kind() != PinKind.WAIT ? pin : heldWait(pin);
            if (held != null) {
                all.add(held);
            }
        }
        all.addAll(sampledPins.active());
        return all;
    }

    /** {@code wait} with what keeps it from unmounting; null if that is nothing. */
    private @Nullable ActivePin heldWait(ActivePin wait) {
        List<StackTraceElement> frames =
                SnapshotStack.belowWait(List.of(wait.thread().getStackTrace()));
        PinReason reason =
                switch (SnapshotStack.nativeCauseIn(frames)) {
                    case NATIVE -> PinReason.NATIVE;
                    case CLASS_INIT -> PinReason.CLASS_INIT;
                    default -> null;
                };
        if (reason == null) {
            return null;
        }
        Site site = ledger.siteOf(wait.kind(), reason, SnapshotStack.heldByNativeFrame(frames, wanted));
        return new ActivePin(
                wait.kind(), reason, wait.ageNanos(), wait.thread(), wait.carrier(), wait.compensated(), site, null);
    }
}
