package io.vtagent.sampler;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pins in progress from all sensors, with their sites as far as they are known. Thread-safe.
 */
final class PinsInProgress {
    private static final long MIN_WITH_SITE_NANOS = 1_000_000;

    private final Ledger ledger;
    private final SampledPins sampledPins;
    private final SiteMatcher known;

    PinsInProgress(Ledger ledger, SampledPins sampledPins) {
        this.ledger = ledger;
        this.sampledPins = sampledPins;
        known = new SiteMatcher(ledger);
    }

    List<ActivePin> all() {
        List<ActivePin> all = new ArrayList<>();
        List<ActivePin> reportedByHooks = ledger.active();
        Map<Thread, List<StackTraceElement>> stacks = new HashMap<>();
        long readAtNanos = System.nanoTime();
        for (ActivePin pin : reportedByHooks) {
            if (isToBeRecognised(pin)) {
                stacks.put(pin.thread(), Snapshot.of(pin.thread()).frames());
            }
        }
        if (!stacks.isEmpty()) {
            known.refresh();
            dropStacksOfEndedPins(stacks, reportedByHooks, System.nanoTime() - readAtNanos);
        }
        for (ActivePin pin : reportedByHooks) {
            // where monitors do not pin, a thread that begins to wait most likely unmounts
            ActivePin held =
                    ledger.monitorsPin() || pin.kind() != PinKind.WAIT ? pin : heldWait(pin);
            if (held != null) {
                all.add(
                        held.kind() == PinKind.IO
                                ? withSite(held)
                                : recognised(held, stacks.get(held.thread())));
            }
        }
        all.addAll(sampledPins.active());
        return all;
    }

    /** Returns {@code wait} with the reason why its thread cannot unmount; null if it can. */
    private @Nullable ActivePin heldWait(ActivePin wait) {
        List<StackTraceElement> frames = Snapshot.of(wait.thread()).frames();
        PinReason reason = PinnedObjectWaits.reasonOf(wait, frames);
        if (reason == null) {
            return null;
        }
        PinnedStack stack =
                reason == PinReason.CRITICAL_SECTION
                        ? SnapshotStack.entering(
                                frames, ledger.frames(), null) // as the JFR event will report it
                        : SnapshotStack.heldByNativeFrame(
                                SnapshotStack.belowWait(frames), ledger.frames());
        return at(wait, reason, ledger.siteOf(wait.kind(), reason, stack));
    }

    /**
     * Returns {@code io} with its site if it lasts. Most I/O is too short for its stack to be read.
     */
    private ActivePin withSite(ActivePin io) {
        List<StackTraceElement> frames =
                io.ageNanos() < MIN_WITH_SITE_NANOS ? List.of() : Snapshot.of(io.thread()).frames();
        boolean blocks = !frames.isEmpty() && frames.getFirst().isNativeMethod(); // or it is over
        return io.site() == null && blocks
                ? at(
                        io,
                        io.reason(),
                        ledger.siteOf(
                                io.kind(),
                                io.reason(),
                                SnapshotStack.heldByCall(frames, ledger.frames())))
                : io;
    }

    /** Returns whether {@code pin} lasts and its stack was not read when it began. */
    private boolean isToBeRecognised(ActivePin pin) {
        boolean isRead =
                pin.site() != null
                        || pin.kind() == PinKind.IO
                        || (pin.kind() == PinKind.WAIT && !ledger.monitorsPin());
        return !isRead && pin.ageNanos() >= MIN_WITH_SITE_NANOS && ledger.reportsSitesInProgress();
    }

    /**
     * Removes the stacks that were read after the end of the pins in {@code reportedByHooks}.
     *
     * @param elapsedNanos the time since {@code reportedByHooks} was read
     */
    private void dropStacksOfEndedPins(
            Map<Thread, List<StackTraceElement>> stacks,
            List<ActivePin> reportedByHooks,
            long elapsedNanos) {
        Map<Thread, ActivePin> now = new HashMap<>();
        ledger.active().forEach(pin -> now.put(pin.thread(), pin));
        for (ActivePin pin : reportedByHooks) {
            ActivePin later = now.get(pin.thread());
            if (later == null
                    || later.kind() != pin.kind()
                    || later.ageNanos() < pin.ageNanos() + elapsedNanos) {
                stacks.remove(pin.thread());
            }
        }
    }

    /** Returns {@code pin} with its site, if its sampled stack identifies the site. */
    private ActivePin recognised(ActivePin pin, @Nullable List<StackTraceElement> frames) {
        if (frames == null || frames.isEmpty() || SnapshotStack.isAgents(frames)) {
            return pin;
        }
        Site site = known.siteOf(pin.kind(), frames);
        Object monitor = pin.monitor();
        if (site == null && pin.kind() == PinKind.ENTER && monitor != null) {
            site =
                    ledger.siteOf(
                            pin.kind(),
                            pin.reason(),
                            SnapshotStack.entering(
                                    frames, ledger.frames(), monitor.getClass().getName()));
        }
        if (site == null) {
            return pin;
        }
        PinnedStack stack = site.stack();
        return at(pin, stack == null ? pin.reason() : pin.reason().refinedBy(stack), site);
    }

    private static ActivePin at(ActivePin pin, PinReason reason, Site site) {
        return new ActivePin(
                pin.kind(),
                reason,
                pin.ageNanos(),
                pin.thread(),
                pin.carrier(),
                pin.compensated(),
                site,
                pin.monitor(),
                pin.owner(),
                pin.samples(),
                pin.refused());
    }
}
