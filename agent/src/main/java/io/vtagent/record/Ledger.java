package io.vtagent.record;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.CarrierLocal;
import io.vtagent.vm.ContendedEntries;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.OwnScheduler;
import io.vtagent.vm.PinnedStack;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pins that {@link #hooks} and the watchers from outside notice: what has ended, by site, and what is in progress. For the
 * agent's own threads.
 */
public final class Ledger {
    private final CarrierSlots slots;
    private final PinHistograms outside;
    private final boolean monitorsPin;
    private final HookRelief relief = new HookRelief();
    private final PinListeners listeners = new PinListeners();
    private final Attribution attribution;
    private final HookAttribution hookAttribution;
    private final Collector collector;
    private final CarrierArrivals arrivals = new CarrierArrivals();
    private final ContendedEntries contended = new ContendedEntries();
    private final Hooks hooks;

    /**
     * @param monitorsPin whether a thread that holds a monitor can not unmount in this JVM
     * @param stackThresholdNanos the shortest pin whose stack is walked
     * @param wanted what is wanted of the stacks
     * @param maxSites the most sites that are kept
     */
    public Ledger(
            boolean monitorsPin, long stackThresholdNanos, FramesOfInterest wanted, int maxSites, Buckets buckets) {
        this.monitorsPin = monitorsPin;
        outside = new PinHistograms(buckets);
        attribution = new Attribution(maxSites, wanted);
        hookAttribution = new HookAttribution(attribution, stackThresholdNanos);
        collector = new Collector(buckets);
        slots = new CarrierSlots(buckets);
        hooks = new Hooks(monitorsPin, slots, hookAttribution, relief, listeners, arrivals, contended);
    }

    /** Whom the probe is to tell, after {@link #warmUp}. */
    public VtAgentProbe hooks() {
        return hooks;
    }

    /** By what the hooks tell that an entry of a monitor did not block, once it is proved. */
    public ContendedEntries contended() {
        return contended;
    }

    /** Where to wait for the hook that is told of carriers. */
    public CarrierArrivals arrivals() {
        return arrivals;
    }

    /** Its hooks have {@code first} hear of each carrier before anybody else. */
    public void first(FirstCarrier first) {
        arrivals.first(first);
    }

    /** From now on walks the stacks of pins that are not shorter. */
    public void stackThreshold(long nanos) {
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

    /** How often the scheduler refused a virtual thread of the application. */
    public long submitFailures() {
        return hooks.submitFailures();
    }

    /** Adds a pin of which nobody knows the thread any more: see the other one. */
    public void add(PinKind kind, PinReason reason, long durationNanos, Supplier<@Nullable PinnedStack> stack) {
        add(kind, reason, durationNanos, new PinnedThread(null, 0, System.nanoTime()), stack);
    }

    /**
     * Adds a pin that was noticed from outside, on a thread that is not virtual.
     *
     * @param stack asked only if the pin is not shorter than the threshold for stacks; gives null if there is none
     * @throws OutOfMemoryError if there is no memory to count it, and then it has not been counted in any way
     */
    public void add(
            PinKind kind,
            PinReason reason,
            long durationNanos,
            PinnedThread pinned,
            Supplier<@Nullable PinnedStack> stack) {
        Site site = hookAttribution.isForStack(durationNanos) ? siteOf(kind, reason, stack) : null;
        PinReason refined = site == null ? reason : site.refine(reason);
        synchronized (outside) {
            outside.add(durationNanos, kind, refined, false, site);
        }
        if (hookAttribution.isForStack(durationNanos)) {
            listeners.tell(kind, refined, durationNanos, site, pinned);
        }
    }

    private @Nullable Site siteOf(PinKind kind, PinReason reason, Supplier<@Nullable PinnedStack> stack) {
        try {
            PinnedStack read = stack.get();
            return read == null ? null : attribution.siteOf(kind, reason, read);
        } catch (VirtualMachineError passing) {
            return null; // its time counts without one
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

    /** Whether somebody wants to know the sites of pins in progress. */
    public boolean tellsSitesInProgress() {
        return hookAttribution.looksAhead();
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
        AgentThread.join(scheduler.start(() -> HookRehearsal.of(thrownAway.hooks)), Long.MAX_VALUE);
        CarrierLocal.warmUp();
        relief.warmUp();
        thrownAway.hookAttribution.warmUp();
        HookRehearsal.of(thrownAway.hooks); // here with stacks, which are not walked on carriers of the agent's own
        thrownAway.active();
        hookAttribution.begin();
    }
}
