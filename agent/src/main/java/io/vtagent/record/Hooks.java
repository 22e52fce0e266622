package io.vtagent.record;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.ContendedEntries;
import io.vtagent.vm.NativeFrames;
import io.vtagent.vm.StackHeadroom;
import io.vtagent.vm.VirtualThreads;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the probe tells into pins, on the application's virtual threads. The hooks assume:
 *
 * <ol>
 *   <li>A virtual thread leaves its carrier only when it parks, waits, yields or, from JDK 24 on, contends for a monitor: nothing takes
 *       it off by force (JEP 444, JEP 491).
 *   <li>From {@code onParkBegan} to {@code onParkEnded}, from {@code onIoBegan} to {@code onIoEnded} and, where monitors pin, from {@code
 *       onWaitBegan} to {@code onWaitEnded} and from {@code onEnterBegan} to {@code onEnterEnded}, the thread is on one carrier: the JVM
 *       refused to unmount it, or it blocks in native code or for a monitor.
 *   <li>Every class that a hook needs has been initialized, and every method handle has been called often enough for the JDK to be done
 *       with it, before the hook is told: see {@link Ledger#warmUp}.
 * </ol>
 *
 * <p>and guarantee:
 *
 * <ol>
 *   <li>A hook takes no lock, does not park and loads no class, so (assumption 1) its thread is on the same carrier from its beginning
 *       to its end, and whatever it reads from or writes to the carrier's slot, inside of a critical section or not, no other
 *       virtual thread does meanwhile. To walk a stack and to add a carrier takes code of the JDK that could block, so each is a
 *       critical section, in which the JVM does not unmount the thread ({@link VirtualThreads#pin}). Two exceptions were asked for: with
 *       {@code jfr-events} an event is written, for which JFR locks its table of strings; with {@code relief} a carrier that is one too many
 *       goes to sleep when a virtual thread has left it.
 *   <li>No hook throws into the application (the probe sees to that), and one that fails leaves no interval half begun, no recording
 *       open and no critical section behind: what has to be left is begun only after {@link StackHeadroom} for it was claimed.
 *   <li>What a hook does itself is not recorded.
 *   <li>An interval is counted once, whatever its length, by the hook that ends it, with its site or as unattributed (but for entries of
 *       monitors that did not wait: {@link ContendedEntries}, {@link #SHORTEST_ENTRY_NANOS}): the sites
 *       add up to the total, unless something fails between the two, such as for want of memory: then they miss that one. One that
 *       ends where less stack is left than {@link StackHeadroom} claims is not counted.
 *   <li>Without a stack a hook allocates nothing, but for the first pin of each key on a carrier. Memory is bounded by the number of
 *       carriers and sites.
 *   <li>A pin can be seen from the moment it begins until it ends, on the carrier that it holds and on no other.
 * </ol>
 */
final class Hooks extends VtAgentProbe {
    /**
     * An entry that took less did not block: to put a thread to sleep and wake it takes the operating system longer. It was an
     * inflated monitor that nobody owned, or one that was had by spinning.
     */
    static final long SHORTEST_ENTRY_NANOS = 5_000;

    private final boolean monitorsPin;
    private final CarrierSlots slots;
    private final HookAttribution attribution;
    private final HookRelief relief;
    private final PinListeners listeners;
    private final CarrierArrivals arrivals;
    private final ContendedEntries contended;
    private final ReentryCheck reentries = new ReentryCheck();
    private final AtomicLong refused = new AtomicLong();

    Hooks(
            boolean monitorsPin,
            CarrierSlots slots,
            HookAttribution attribution,
            HookRelief relief,
            PinListeners listeners,
            CarrierArrivals arrivals,
            ContendedEntries contended) {
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
    public Object onParkBegan() {
        CarrierSlot slot = slots.current();
        PinReason reason = slot.takeFailedYield();
        Site site = attribution.atBegin(slot, PinKind.PARK, reason, null);
        begin(slot, PinKind.PARK, reason, site, null);
        relief.begin(slot, site);
        return slot;
    }

    @Override
    public void onParkEnded(@Nullable Object begun) {
        if (begun instanceof CarrierSlot slot) {
            end(slot, 0, true);
        }
    }

    @Override
    public Object onWaitBegan() {
        CarrierSlot slot = slots.current();
        // where monitors do not pin, it may well unmount
        Site site = monitorsPin ? attribution.atBegin(slot, PinKind.WAIT, PinReason.MONITOR, null) : null;
        begin(slot, PinKind.WAIT, PinReason.MONITOR, site, null);
        return slot;
    }

    @Override
    public void onWaitEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        if (!(begun instanceof CarrierSlot slot)) {
            return;
        }
        if (!monitorsPin && slot != slots.current()) {
            slot.abandon(Thread.currentThread()); // it could unmount after all, and went on elsewhere
            return;
        }
        long durationNanos = slot.end(Thread.currentThread());
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
        // The thread is back on the carrier where it began to wait, or never left it. It could leave but for native
        // frames.
        switch (NativeFrames.onCurrentThread()) {
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
        Site site = attribution.atBegin(slot, PinKind.ENTER, PinReason.MONITOR, monitor);
        if (relief.isWanted(slot, site) && Thread.holdsLock(monitor)) {
            return null; // it was not asked about before; to add a carrier for it would take long enough to count
        }
        long contendedBefore = contended.soFar();
        begin(slot, PinKind.ENTER, PinReason.MONITOR, site, monitor);
        slot.contendedBefore = contendedBefore;
        relief.begin(slot, site);
        return slot;
    }

    @Override
    public void onEnterEnded(Object begun) {
        if (begun instanceof CarrierSlot slot) {
            // the thread owns the monitor by now: what is done here, others may wait for
            end(slot, SHORTEST_ENTRY_NANOS, contended.mayHaveRisenSince(slot.contendedBefore));
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

    /** How often the scheduler refused a virtual thread of the application. */
    long submitFailures() {
        return refused.get();
    }

    private void end(CarrierSlot slot, long shortestNanos, boolean timed) {
        Object monitor = slot.interval().monitor(); // which it does not keep
        Thread thread = Thread.currentThread();
        long durationNanos = timed ? slot.end(thread) : slot.endUntimed(thread);
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
            CarrierSlot slot, PinKind kind, PinReason reason, @Nullable Site site, @Nullable Object monitor) {
        if (!slot.recording) {
            slot.interval().belongsTo(listeners.ownerOf(slot));
        }
        slot.begin(Thread.currentThread(), kind, reason, site, monitor);
    }

    /** @param monitor what the pin was to enter, or null */
    private void record(CarrierSlot slot, long durationNanos, PinReason reason, @Nullable Object monitor) {
        Site site = null;
        if (attribution.isForStack(durationNanos)) {
            site = slot.interval().site();
            if (site == null) {
                site = attribution.siteOf(slot, slot.interval().kind(), reason, durationNanos, monitor);
            }
        }
        PinReason refined = site == null ? reason : site.refine(reason);
        slot.record(durationNanos, refined, site);
        if (attribution.isForStack(durationNanos)) {
            listeners.tell(slot, durationNanos, refined, site);
        }
    }
}
