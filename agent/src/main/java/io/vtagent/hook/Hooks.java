package io.vtagent.hook;

import io.vtagent.hotspot.ContentionCounter;
import io.vtagent.jvm.StackHeadroom;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.thread.AgentThread;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns the probe's calls into pins, on the application's virtual threads. The hooks assume:
 *
 * <ol>
 *   <li>A virtual thread leaves its carrier only when it parks, waits, yields or, from JDK 24 on,
 *       contends for a monitor. Virtual threads are not preempted (JEP 444, JEP 491).
 *   <li>From {@code onParkBegan} to {@code onParkEnded}, from {@code onIoBegan} to {@code
 *       onIoEnded} and, where monitors pin, from {@code onWaitBegan} to {@code onWaitEnded} and
 *       from {@code onEnterBegan} to {@code onEnterEnded}, the thread stays on one carrier: the JVM
 *       refused to unmount it, or it blocks in native code or for a monitor.
 *   <li>Before the probe calls a hook, every class that the hook needs has been initialized, and
 *       every method handle has been called often enough for the JDK to be done with it: see {@code
 *       Ledger.warmUp}.
 * </ol>
 *
 * <p>and guarantee:
 *
 * <ol>
 *   <li>A hook takes no lock, does not park and loads no class, so (assumption 1) its thread is on
 *       the same carrier from its beginning to its end. Meanwhile, no other virtual thread accesses
 *       what the hook reads from or writes to the carrier's slot, inside a critical section or not.
 *       Walking a stack and adding a carrier call code of the JDK that could block, so each is a
 *       critical section, in which the JVM does not unmount the thread ({@link
 *       VirtualThreads#pin}). Two options make exceptions: with {@code jfr-events} a hook writes an
 *       event, for which JFR locks its table of strings; with {@code relief} a surplus carrier goes
 *       to sleep when a virtual thread has left it.
 *   <li>No hook throws into the application (the probe ensures that). A hook that fails leaves no
 *       interval half begun, no recording open and no critical section behind, because it starts
 *       what it must also end only after it has claimed {@link StackHeadroom}.
 *   <li>The hook's own actions are not recorded. Nor is a pin while the agent loads a class, if its
 *       stack is walked; otherwise it is unattributed.
 *   <li>An interval is counted once, whatever its length, by the hook that ends it, with its site
 *       or as unattributed. The exception is a monitor entry that did not wait: {@link
 *       ContentionCounter}, {@link #MIN_ENTRY_NANOS}. The sites add up to the total unless
 *       something fails between the two counts, such as for lack of memory: then the sites miss
 *       that interval. An interval that ends where less stack is left than {@link StackHeadroom}
 *       claims is not counted.
 *   <li>A hook that walks no stack allocates only for the first pin of each key on a carrier.
 *       Memory is bounded by the number of carriers and sites.
 *   <li>A pin is visible from its beginning to its end, on the carrier that it holds and on no
 *       other.
 * </ol>
 */
public final class Hooks extends VtAgentProbe {
    /**
     * A monitor entry that took less did not block, because the operating system needs longer to
     * put a thread to sleep and wake it. It was an inflated monitor without an owner, or one that
     * the thread got by spinning.
     */
    public static final long MIN_ENTRY_NANOS = 5_000;

    private final boolean monitorsPin;
    private final CarrierSlots slots;
    private final HookAttribution attribution;
    private final HookRelief relief;
    private final PinListeners listeners;
    private final CarrierStartSignal arrivals;
    private final ContentionCounter contended;
    private final ReentryCheck reentries = new ReentryCheck();
    private final AtomicLong refused = new AtomicLong();

    public Hooks(
            boolean monitorsPin,
            CarrierSlots slots,
            HookAttribution attribution,
            HookRelief relief,
            PinListeners listeners,
            CarrierStartSignal arrivals,
            ContentionCounter contended) {
        this.monitorsPin = monitorsPin;
        this.slots = slots;
        this.attribution = attribution;
        this.relief = relief;
        this.listeners = listeners;
        this.arrivals = arrivals;
        this.contended = contended;
    }

    @Override
    public void onYieldFailed(String reason) {
        slots.current().yieldFailed(PinReason.ofFailedYield(reason));
    }

    @Override
    public @Nullable Object onParkBegan() {
        CarrierSlot slot = slots.current();
        PinReason reason = slot.takeFailedYield();
        Attributed found = attribution.atBegin(slot, PinKind.PARK, reason, null);
        if (found == Attributed.AGENTS) {
            return null;
        }
        begin(slot, PinKind.PARK, reason, found, null);
        relief.begin(slot, siteOf(found));
        return slot;
    }

    @Override
    public void onParkEnded(@Nullable Object begun) {
        if (begun instanceof CarrierSlot slot) {
            end(slot, 0, true);
        }
    }

    @Override
    public @Nullable Object onWaitBegan() {
        CarrierSlot slot = slots.current();
        // where monitors do not pin, it may unmount
        Attributed found =
                monitorsPin
                        ? attribution.atBegin(slot, PinKind.WAIT, PinReason.MONITOR, null)
                        : null;
        if (found == Attributed.AGENTS) {
            return null;
        }
        begin(slot, PinKind.WAIT, PinReason.MONITOR, found, null);
        return slot;
    }

    @Override
    public void onWaitEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        if (!(begun instanceof CarrierSlot slot)) {
            return;
        }
        if (!monitorsPin && slot != slots.current()) {
            slot.abandon(Thread.currentThread()); // it unmounted after all, and continued elsewhere
            return;
        }
        long durationNanos = slot.end(Thread.currentThread(), true);
        if (durationNanos < 0) {
            return;
        }
        relief.ended(durationNanos);
        if (thrown instanceof RuntimeException) { // it did not begin to wait
            return;
        }
        if (monitorsPin) {
            record(slot, durationNanos, PinReason.MONITOR, null);
            return;
        }
        // The thread is back on the carrier where it began to wait, or never left it. Only native
        // frames can have kept it there.
        switch (attribution.holderOf(slot)) {
            case NATIVE -> record(slot, durationNanos, PinReason.NATIVE, null);
            case CLASS_INIT -> record(slot, durationNanos, PinReason.CLASS_INIT, null);
            default -> {}
        }
    }

    @Override
    public @Nullable Object onEnterBegan(Object monitor) {
        CarrierSlot slot = slots.current();
        if (reentries.isReentry(slot, monitor)) {
            return null;
        }
        Attributed found = attribution.atBegin(slot, PinKind.ENTER, PinReason.MONITOR, monitor);
        if (found == Attributed.AGENTS) {
            return null;
        }
        Site site = siteOf(found);
        if (relief.isWanted(slot, site) && Thread.holdsLock(monitor)) {
            // a re-entry that was not checked; adding a carrier would make it long enough to count
            return null;
        }
        long contendedBefore = contended.soFar();
        begin(slot, PinKind.ENTER, PinReason.MONITOR, found, monitor);
        slot.contendedBefore = contendedBefore;
        relief.begin(slot, site);
        return slot;
    }

    @Override
    public void onEnterEnded(Object begun) {
        if (begun instanceof CarrierSlot slot) {
            // the thread owns the monitor by now, so other threads may wait for this code to finish
            end(slot, MIN_ENTRY_NANOS, contended.mayHaveRisenSince(slot.contendedBefore));
        }
    }

    @Override
    public void onCompensationTried(boolean compensated) {
        slots.current().compensationTried(compensated);
    }

    @Override
    public void onIoBegan() {
        CarrierSlot slot = slots.current();
        Thread thread = Thread.currentThread();
        // up to JDK 23, Object.wait brackets itself
        if (!monitorsPin || !slot.nest(thread)) {
            begin(slot, PinKind.IO, PinReason.NONE, null, null);
        }
        slot.compensated(slot.takeCompensation());
    }

    @Override
    public void onIoEnded() {
        end(slots.current(), 0, true);
    }

    @Override
    public void onCarrierMade() {
        arrivals.arrived();
        Thread thread = Thread.currentThread();
        relief.carrierMade(thread, thread.isVirtual() ? slots.current() : null);
    }

    @Override
    public void onUnmounted() {
        relief.unmounted();
    }

    @Override
    public void onSubmitFailed() {
        if (!AgentThread.isCurrent()) {
            refused.incrementAndGet();
        }
    }

    /** Returns how often the scheduler refused a virtual thread of the application. */
    public long submitFailures() {
        return refused.get();
    }

    private void end(CarrierSlot slot, long shortestNanos, boolean timed) {
        Object monitor = slot.interval().monitor(); // the end clears it
        long durationNanos = slot.end(Thread.currentThread(), timed);
        if (durationNanos < 0) {
            return;
        }
        relief.end(slot, durationNanos);
        Site site = slot.interval().site();
        if (site != null) {
            site.ended(durationNanos);
        }
        if (durationNanos >= shortestNanos) {
            record(slot, durationNanos, slot.interval().reason(), monitor);
        }
    }

    private void begin(
            CarrierSlot slot,
            PinKind kind,
            PinReason reason,
            @Nullable Attributed found,
            @Nullable Object monitor) {
        if (!slot.recording) {
            slot.interval().belongsTo(listeners.ownerOf(slot));
        }
        PinReason refined = found == null ? reason : found.reason();
        slot.begin(Thread.currentThread(), kind, refined, siteOf(found), monitor);
    }

    private static @Nullable Site siteOf(@Nullable Attributed found) {
        return found == null ? null : found.site();
    }

    /**
     * @param monitor the monitor that the thread was entering, or null
     */
    private void record(
            CarrierSlot slot, long lastedNanos, PinReason reason, @Nullable Object monitor) {
        long durationNanos = slot.withoutRunDelay(lastedNanos);
        Site site = null;
        PinReason refined = reason;
        if (attribution.isForStack(durationNanos)) {
            site = slot.interval().site();
            if (site == null) {
                PinKind kind = slot.interval().kind();
                Attributed found =
                        attribution.attribute(slot, kind, reason, durationNanos, monitor);
                if (found == Attributed.AGENTS) {
                    return;
                }
                site = siteOf(found);
                refined = found == null ? reason : found.reason();
            }
        }
        slot.record(durationNanos, refined, site);
        if (attribution.isForStack(durationNanos)) {
            listeners.onPinEnded(slot, durationNanos, refined, site);
        }
    }
}
