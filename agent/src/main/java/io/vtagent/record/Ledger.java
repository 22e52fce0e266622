package io.vtagent.record;

import io.vtagent.probe.VtAgentSensor;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.CarrierLocal;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.NativeFrames;
import io.vtagent.vm.OwnScheduler;
import io.vtagent.vm.PinnedStack;
import io.vtagent.vm.StackHeadroom;
import io.vtagent.vm.VirtualThreads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the sensors report into pins, and keeps them.
 *
 * <p>The methods of {@link VtAgentSensor}, the hooks, run on the application's virtual threads; the others are for the agent's own
 * threads. The hooks assume:
 *
 * <ol>
 *   <li>A virtual thread leaves its carrier only when it parks, waits, yields or, from JDK 24 on, contends for a monitor: nothing takes
 *       it off by force (JEP 444, JEP 491).
 *   <li>From {@code parkBegan} to {@code parkEnded}, from {@code ioBegan} to {@code ioEnded} and, where monitors pin, from {@code
 *       waitBegan} to {@code waitEnded} and from {@code enterBegan} to {@code enterEnded}, the thread is on one carrier: the JVM
 *       refused to unmount it, or it blocks in native code or for a monitor.
 *   <li>Every class that a hook needs has been initialized, and every method handle has been called often enough for the JDK to be done
 *       with it, before the hook is told: see {@link #warmUp}.
 * </ol>
 *
 * <p>and guarantee:
 *
 * <ol>
 *   <li>A hook takes no lock, does not park and loads no class, so (assumption 1) its thread is on the same carrier from its beginning
 *       to its end, and whatever it reads from or writes to the carrier's slot, inside of a critical section or not, no other
 *       virtual thread does meanwhile. To walk a stack and to add a carrier takes code of the JDK that could block, so each is a
 *       critical section, in which the JVM does not unmount the thread ({@link VirtualThreads#pin}).
 *   <li>No hook throws into the application (the probe sees to that), and one that fails leaves no interval half begun, no recording
 *       open and no critical section behind: what has to be left is begun only after {@link StackHeadroom} for it was claimed.
 *   <li>What a hook does itself is not recorded.
 *   <li>An interval is counted once, whatever its length, by the hook that ends it, with its site or as unattributed: the sites
 *       always add up to the total.
 *   <li>Without a stack a hook allocates nothing, but for the first pin of each key on a carrier. Memory is bounded by the number of
 *       carriers and sites.
 *   <li>A pin can be seen from the moment it begins until it ends, on the carrier that it holds and on no other.
 * </ol>
 */
public final class Ledger implements VtAgentSensor {
    /**
     * An entry that took less did not block: to put a thread to sleep and wake it takes the operating system longer. It was an
     * inflated monitor that nobody owned, or one that was had by spinning.
     */
    static final long SHORTEST_ENTRY_NANOS = 5_000;

    private final CarrierSlots slots;
    private final PinHistograms outside;
    private final AtomicLong refused = new AtomicLong();
    private final boolean monitorsPin;
    private volatile long stackThresholdNanos;
    private final HookRelief relief = new HookRelief();
    private final PinListeners listeners = new PinListeners();
    private final Attribution attribution;
    private final HookAttribution hookAttribution;
    private final Collector collector;

    /**
     * @param monitorsPin whether a thread that holds a monitor can not unmount in this JVM
     * @param stackThresholdNanos the shortest pin whose stack is walked
     * @param wanted what is wanted of the stacks
     * @param maxSites the most sites that are kept
     */
    public Ledger(
            boolean monitorsPin, long stackThresholdNanos, FramesOfInterest wanted, int maxSites, Buckets buckets) {
        this.monitorsPin = monitorsPin;
        this.stackThresholdNanos = stackThresholdNanos;
        outside = new PinHistograms(buckets);
        attribution = new Attribution(maxSites, wanted);
        hookAttribution = new HookAttribution(attribution, stackThresholdNanos);
        collector = new Collector(buckets);
        slots = new CarrierSlots(buckets);
    }

    @Override
    public void yieldFailed(String reason) {
        slots.current().yieldFailed(PinReason.ofFailedYield(reason));
    }

    @Override
    public Object parkBegan() {
        CarrierSlot slot = slots.current();
        PinReason reason = slot.takeFailedYield();
        Site site = hookAttribution.atBegin(slot, PinKind.PARK, reason, null);
        begin(slot, PinKind.PARK, reason, site, null);
        relief.begin(slot, site);
        return slot;
    }

    @Override
    public void parkEnded(@Nullable Object begun) {
        if (begun instanceof CarrierSlot slot) {
            end(slot, 0);
        }
    }

    @Override
    public Object waitBegan() {
        CarrierSlot slot = slots.current();
        // where monitors do not pin, it may well unmount
        Site site = monitorsPin ? hookAttribution.atBegin(slot, PinKind.WAIT, PinReason.MONITOR, null) : null;
        begin(slot, PinKind.WAIT, PinReason.MONITOR, site, null);
        return slot;
    }

    @Override
    public void waitEnded(@Nullable Object begun, @Nullable Throwable thrown) {
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
            record(slot, durationNanos, PinReason.MONITOR);
            return;
        }
        // The thread is back on the carrier where it began to wait, or never left it. It could leave but for native
        // frames.
        switch (NativeFrames.onCurrentThread()) {
            case NATIVE -> record(slot, durationNanos, PinReason.NATIVE);
            case CLASS_INIT -> record(slot, durationNanos, PinReason.CLASS_INIT);
            default -> {}
        }
    }

    @Override
    public boolean enterBegan(Object monitor) {
        CarrierSlot slot = slots.current();
        Site site = hookAttribution.atBegin(slot, PinKind.ENTER, PinReason.MONITOR, monitor);
        begin(slot, PinKind.ENTER, PinReason.MONITOR, site, monitor);
        relief.begin(slot, site);
        return true;
    }

    @Override
    public void enterEnded() {
        end(slots.current(), SHORTEST_ENTRY_NANOS);
    }

    @Override
    public void compensationTried(boolean compensated) {
        slots.current().compensationTried(compensated);
    }

    @Override
    public void ioBegan() {
        CarrierSlot slot = slots.current();
        Thread thread = Thread.currentThread();
        // up to JDK 23, Object.wait brackets itself
        if (!monitorsPin || !slot.nest(thread)) {
            begin(slot, PinKind.IO, PinReason.NONE, null, null);
        }
        slot.compensated(slot.takeCompensation());
    }

    @Override
    public void ioEnded() {
        end(slots.current(), 0);
    }

    private void end(CarrierSlot slot, long shortestNanos) {
        long durationNanos = slot.end(Thread.currentThread());
        if (durationNanos < 0) {
            return;
        }
        relief.end(slot, durationNanos);
        Site site = slot.interval().site();
        if (site != null) {
            site.ended(durationNanos);
        }
        if (durationNanos >= shortestNanos) {
            record(slot, durationNanos, slot.interval().reason());
        }
    }

    /** From now on walks the stacks of pins that are not shorter. */
    public void stackThreshold(long nanos) {
        stackThresholdNanos = nanos;
        hookAttribution.stackThreshold(nanos);
    }

    /** Gives back what was done for carriers that are held now, since nobody will be told when they are not. */
    public void giveBackAll() {
        relief.giveBackAll(slots);
    }

    /** Gives back what hooks that failed could not. For a thread of the agent, every now and then. */
    public void giveBackWhatWasLost() {
        relief.giveBackWhatWasLost(slots);
    }

    /** From now on, {@code newReliever} makes up for held carriers. It asks for sites, so stacks are read when pins begin. Comes before {@link #warmUp}. */
    public void relieveBy(Reliever newReliever) {
        hookAttribution.looksAheadAlways();
        relief.relieveBy(newReliever);
    }

    private void begin(
            CarrierSlot slot, PinKind kind, PinReason reason, @Nullable Site site, @Nullable Object monitor) {
        if (!slot.recording) {
            slot.interval().belongsTo(listeners.ownerOf(slot));
        }
        slot.begin(Thread.currentThread(), kind, reason, site, monitor);
    }

    private void record(CarrierSlot slot, long durationNanos, PinReason reason) {
        Site site = null;
        if (durationNanos >= stackThresholdNanos) {
            site = slot.interval().site();
            if (site == null) {
                site = hookAttribution.siteOf(slot, slot.interval().kind(), reason, durationNanos, null);
            }
        }
        PinReason refined = site == null ? reason : site.refine(reason);
        slot.record(durationNanos, refined, site);
        if (durationNanos >= stackThresholdNanos) {
            listeners.tell(slot, durationNanos, refined, site);
        }
    }

    @Override
    public void carrierMade() {
        Thread thread = Thread.currentThread();
        relief.carrierMade(thread, thread.isVirtual() ? slots.current() : null);
    }

    @Override
    public void unmounted() {
        relief.unmounted();
    }

    @Override
    public void submitFailed() {
        if (!AgentThread.isCurrent()) {
            refused.incrementAndGet();
        }
    }

    /** How often the scheduler refused a virtual thread of the application. */
    public long submitFailures() {
        return refused.get();
    }

    /** Adds a pin of which nobody knows the thread any more: see the other one. */
    public void add(PinKind kind, PinReason reason, long durationNanos, Supplier<@Nullable PinnedStack> stack) {
        add(kind, reason, durationNanos, new PinnedThread(null, 0, System.nanoTime()), stack);
    }

    /**
     * Adds a pin that was noticed from outside, on a thread that is not virtual.
     *
     * @param stack asked only if the pin is not shorter than the threshold for stacks; gives null if there is none
     */
    public void add(
            PinKind kind,
            PinReason reason,
            long durationNanos,
            PinnedThread pinned,
            Supplier<@Nullable PinnedStack> stack) {
        PinnedStack read = durationNanos < stackThresholdNanos ? null : stack.get();
        Site site = read == null ? null : attribution.siteOf(kind, reason, read);
        PinReason refined = site == null ? reason : site.refine(reason);
        synchronized (outside) {
            outside.add(durationNanos, kind, refined, false, site);
        }
        if (durationNanos >= stackThresholdNanos) {
            listeners.tell(kind, refined, durationNanos, site, pinned);
        }
    }

    /** The site of a pin in progress that was noticed from outside. */
    public Site siteOf(PinKind kind, PinReason reason, PinnedStack stack) {
        return attribution.siteOf(kind, reason, stack);
    }

    /** The pins in progress. */
    public List<ActivePin> active() {
        return slots.active();
    }

    /** The kinds of those pins that the sensors have noticed, from beginning to end, on carriers of an {@link OwnScheduler}. */
    public Set<PinKind> kindsOnOwnCarriers() {
        return slots.kindsOnOwnCarriers();
    }

    /** Sums up the pins that have ended. */
    public EndedPins totals() {
        return collector.collect(slots, outside);
    }

    /** Whether the sensors have never told of a virtual thread of the application's. */
    public boolean isUntouched() {
        return !slots.anyEver();
    }

    /** Hands {@code sink} all pins since the agent began, and from then on, at each {@link #totals()}, those that are new. */
    public void publishTo(PinSink sink) {
        collector.publishTo(sink);
    }

    /** Hands {@code sink} nothing more. */
    public void publishNoMore(PinSink sink) {
        collector.publishNoMore(sink);
    }

    /** Tells {@code listener} of each pin from now on. What it needs in a hook has been loaded. */
    public void tell(PinListener listener) {
        listeners.add(listener);
    }

    /** Tells {@code listener} of nothing more. */
    public void tellNoMore(PinListener listener) {
        listeners.remove(listener);
    }

    /** From now on walks the stack of every pin that is not shorter than the threshold, even if that costs more than its share; or not any more. */
    public void walkWhateverItCosts(boolean wanted) {
        hookAttribution.whateverItCosts(wanted);
    }

    /** Whether somebody wants to know of each pin. */
    public boolean walksWhateverItCosts() {
        return hookAttribution.isWhateverItCosts();
    }

    /** The sites that pins are attributed to, in no order. With those that {@link EndedPins#unattributed} holds they add up. */
    public List<Site> sites() {
        return attribution.sites();
    }

    /**
     * Loads and links what the hooks need, so that none of the application's threads has to: comes before the probe is told of this
     * ledger. For a thread of the agent. Returns when all of it was done once, on a carrier of {@code scheduler} and on the current
     * thread, for ledgers that are thrown away.
     */
    public void warmUp(OwnScheduler scheduler) {
        Ledger thrownAway = new Ledger(monitorsPin, 0, new FramesOfInterest(1), 1, Buckets.FINE);
        AgentThread.join(scheduler.start(() -> HookRehearsal.of(thrownAway)), Long.MAX_VALUE);
        CarrierLocal.warmUp();
        relief.warmUp();
        thrownAway.hookAttribution.warmUp();
        HookRehearsal.of(thrownAway); // here with stacks, which are not walked on carriers of the agent's own
        thrownAway.active();
        hookAttribution.begin();
    }
}
