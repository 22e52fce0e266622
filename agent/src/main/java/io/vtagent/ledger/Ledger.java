package io.vtagent.ledger;

import io.vtagent.hook.Attributed;
import io.vtagent.hook.Attribution;
import io.vtagent.hook.CarrierCompensator;
import io.vtagent.hook.CarrierSlot;
import io.vtagent.hook.CarrierSlots;
import io.vtagent.hook.CarrierStartSignal;
import io.vtagent.hook.HookAttribution;
import io.vtagent.hook.HookRelief;
import io.vtagent.hook.HookWarmUp;
import io.vtagent.hook.Hooks;
import io.vtagent.hook.PinHistograms;
import io.vtagent.hook.PinListeners;
import io.vtagent.hotspot.ContentionCounter;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import io.vtagent.pin.SampledPinListener;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.CarrierLocal;
import io.vtagent.scheduler.OwnScheduler;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.StackFingerprint;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pins that {@link #hooks}, the sampler and JFR find: ended pins by site, and pins in
 * progress. For the agent's own threads.
 */
public final class Ledger {
    private final CarrierSlots slots;
    private final PinHistograms outside;
    private final boolean monitorsPin;
    private final FramesOfInterest frames;
    private final HookRelief relief = new HookRelief();
    private final PinListeners listeners = new PinListeners();
    private final Attribution attribution;
    private final HookAttribution hookAttribution;
    private final Collector collector;
    private final CarrierStartSignal arrivals = new CarrierStartSignal();
    private final ContentionCounter contended = new ContentionCounter();
    private final AtomicLongArray waitedUnattributed = new AtomicLongArray(PinKind.values().length);
    private final Hooks hooks;
    private volatile @Nullable SampledPinListener sampledPinListener;

    /**
     * @param monitorsPin whether a thread that holds a monitor cannot unmount in this JVM
     * @param stackThresholdNanos the shortest duration of a pin whose stack is walked
     * @param frames the frames that are kept of stacks
     * @param maxSites the maximum number of sites
     */
    public Ledger(
            boolean monitorsPin,
            long stackThresholdNanos,
            FramesOfInterest frames,
            int maxSites,
            Buckets buckets) {
        this.monitorsPin = monitorsPin;
        this.frames = frames;
        outside = new PinHistograms(buckets);
        attribution = new Attribution(maxSites, frames);
        hookAttribution = new HookAttribution(attribution, stackThresholdNanos);
        collector = new Collector(buckets);
        slots = new CarrierSlots(buckets);
        hooks =
                new Hooks(
                        monitorsPin,
                        slots,
                        hookAttribution,
                        relief,
                        listeners,
                        arrivals,
                        contended);
    }

    /** Returns the hooks that the probe is to call, after {@link #warmUp}. */
    public VtAgentProbe hooks() {
        return hooks;
    }

    /** Returns whether a thread that holds a monitor cannot unmount in this JVM. */
    public boolean monitorsPin() {
        return monitorsPin;
    }

    /** Returns the frames that are kept of stacks. */
    public FramesOfInterest frames() {
        return frames;
    }

    /**
     * Returns the counter by which the hooks detect that a monitor entry did not block, once the
     * counter is proved.
     */
    public ContentionCounter contended() {
        return contended;
    }

    /** Returns the signal that wakes threads when the hooks report a carrier. */
    public CarrierStartSignal arrivals() {
        return arrivals;
    }

    /** Makes {@code gate} the first to be notified of each carrier by the hooks. */
    public void startupGate(VtAgentProbe gate) {
        arrivals.first(gate);
    }

    /** Sets the shortest duration of a pin whose stack is walked. */
    public void stackThreshold(long nanos) {
        hookAttribution.stackThreshold(nanos);
    }

    /**
     * Releases all compensation for carriers that are still held, because their end will not be
     * observed.
     */
    public void releaseAll() {
        relief.releaseAll(slots);
    }

    /**
     * Releases compensation that failed hooks could not release. Called periodically on a thread of
     * the agent.
     */
    public void releaseLost() {
        relief.releaseLost(slots);
    }

    /**
     * Makes {@code newCompensator} compensate for held carriers, starting now. It needs sites, so
     * stacks are read when pins begin. {@link #warmUp} warms it up; the caller must have done so if
     * that was called before.
     */
    public void compensateWith(CarrierCompensator newCompensator) {
        hookAttribution.walksAtBeginAlways(newCompensator != CarrierCompensator.NONE);
        relief.compensateWith(newCompensator);
    }

    /**
     * Sets whether the compensator needs sites now. If it does, stacks are read when pins begin.
     */
    public void relieves(boolean now) {
        hookAttribution.walksAtBeginAlways(now);
    }

    /** Returns how often the scheduler refused a virtual thread of the application. */
    public long submitFailures() {
        return hooks.submitFailures();
    }

    /** Records a pin whose thread is not known, as ending now. */
    public void add(
            PinKind kind,
            PinReason reason,
            long durationNanos,
            Supplier<@Nullable PinnedStack> stack) {
        add(kind, reason, durationNanos, new PinnedThread(null, 0, System.nanoTime()), stack);
    }

    /**
     * Records a pin of which a JFR event has reported the duration. Must be called on a platform
     * thread.
     *
     * @param stack supplies the stack, or null if there is none; called only if the pin reaches the
     *     threshold for stacks
     * @throws OutOfMemoryError if there is no memory to count the pin; then no part of it has been
     *     counted
     */
    public void add(
            PinKind kind,
            PinReason reason,
            long durationNanos,
            PinnedThread pinned,
            Supplier<@Nullable PinnedStack> stack) {
        addSampled(kind, reason, durationNanos, Samples.NONE, pinned, stack);
    }

    /**
     * Records a pin found by the sampler, whose duration is estimated. Must be called on a platform
     * thread.
     *
     * @param samples the samples that hit it
     * @param stack as in the other methods
     * @throws OutOfMemoryError if there is no memory to count the pin; then no part of it has been
     *     counted
     */
    public void addSampled(
            PinKind kind,
            PinReason reason,
            long durationNanos,
            Samples samples,
            PinnedThread pinned,
            Supplier<@Nullable PinnedStack> stack) {
        Attributed found =
                hookAttribution.isForStack(durationNanos) ? attribute(kind, reason, stack) : null;
        Site site = found == null ? null : found.site();
        PinReason refined = found == null ? reason : found.reason();
        synchronized (outside) {
            if (samples == Samples.NONE) {
                outside.add(durationNanos, kind, refined, false, site);
            } else {
                outside.addSampled(durationNanos, samples, kind, refined, site);
            }
        }
        if (hookAttribution.isForStack(durationNanos)) {
            listeners.onPinEnded(kind, refined, durationNanos, site, pinned);
        }
    }

    private @Nullable Attributed attribute(
            PinKind kind, PinReason reason, Supplier<@Nullable PinnedStack> stack) {
        try {
            PinnedStack read = stack.get();
            return read == null ? null : attribution.attribute(kind, reason, read);
        } catch (VirtualMachineError passing) {
            return null; // its time is counted without a site
        }
    }

    /** Returns whether a pin reaches the threshold for stacks. */
    public boolean isForStack(long durationNanos) {
        return hookAttribution.isForStack(durationNanos);
    }

    /** Returns the site of a pin in progress that the sampler found. */
    public Site siteOf(PinKind kind, PinReason reason, PinnedStack stack) {
        return attribution.attribute(kind, reason, stack).site();
    }

    /**
     * Adds time for which virtual threads were queued because of {@code pin}, to its site if that
     * is known.
     */
    public void addWaited(ActivePin pin, long nanos) {
        Site site = pin.site();
        if (site == null) {
            waitedUnattributed.addAndGet(pin.kind().ordinal(), nanos);
        } else {
            site.addWaited(nanos);
        }
    }

    /**
     * Returns how long virtual threads were queued because of pins of {@code kind} whose site was
     * not known, summed over the threads, in nanoseconds.
     */
    public long waitedUnattributedNanos(PinKind kind) {
        return waitedUnattributed.get(kind.ordinal());
    }

    /** Stops subtracting the run queue delay. */
    public void watchRunDelaysNoMore() {
        for (CarrierSlot slot : slots) {
            slot.watchRunDelayNoMore();
        }
    }

    /**
     * Subtracts the carriers' run queue delay from pins that end after this call. Called repeatedly
     * by the sampler while CPU time is short.
     */
    public void watchRunDelays() {
        for (CarrierSlot slot : slots) {
            slot.watchRunDelay();
        }
    }

    /** Returns the pins in progress. */
    public List<ActivePin> active() {
        return slots.active();
    }

    /**
     * Returns the kinds of pins that the sensors have recorded, from beginning to end, on carriers
     * of an {@link OwnScheduler}.
     */
    public Set<PinKind> kindsOnOwnCarriers() {
        return slots.kindsOnOwnCarriers();
    }

    /** Returns the totals of the pins that have ended, and publishes the new ones to the sinks. */
    public EndedPins totals() {
        return collector.collect(slots, outside);
    }

    /** Returns the totals of the pins that have ended, without publishing them. */
    public EndedPins unpublishedTotals() {
        return collector.sumUp(slots, outside);
    }

    /** Returns whether no pin has ended so far. */
    public boolean isEmpty() {
        return collector.isEmpty(slots, outside);
    }

    /**
     * Publishes all pins since the agent started to {@code sink}, and later the new ones at each
     * {@link #totals()}.
     */
    public void publishTo(PinSink sink) {
        collector.publishTo(sink);
    }

    /**
     * Waits up to one second until {@code sink} has all that {@link #totals()} has summed up. The
     * caller is a thread of the agent and holds no lock that the sink could need.
     */
    public void awaitPublished(PinSink sink) {
        collector.awaitPublished(sink);
    }

    /** Stops publishing to {@code sink}. */
    public void publishNoMore(PinSink sink) {
        collector.publishNoMore(sink);
    }

    /**
     * Notifies {@code listener} of each pin, starting now. The classes that it needs in a hook must
     * have been loaded.
     */
    public void addListener(PinListener listener) {
        listeners.add(listener);
    }

    /** Stops notifying {@code listener}. */
    public void removeListener(PinListener listener) {
        listeners.remove(listener);
    }

    /** Makes {@code newListener} the one that gets the sampled pins; null for none. */
    public void sampledPinListener(@Nullable SampledPinListener newListener) {
        sampledPinListener = newListener;
    }

    /** Returns the listener that gets the sampled pins; null if there is none. */
    public @Nullable SampledPinListener sampledPinListener() {
        return sampledPinListener;
    }

    /**
     * Sets whether the stack of every pin that reaches the threshold is walked, even if walking
     * exceeds its share of the carrier's time.
     */
    public void walkWhateverItCosts(boolean wanted) {
        hookAttribution.whateverItCosts(wanted);
    }

    /** Returns whether the sites of pins in progress are needed. */
    public boolean reportsSitesInProgress() {
        return hookAttribution.walksAtBegin();
    }

    /** Returns whether every pin's stack is walked whatever it costs. */
    public boolean walksWhateverItCosts() {
        return hookAttribution.isWhateverItCosts();
    }

    /**
     * Returns the sites that pins are attributed to, in no order. Together with {@link
     * EndedPins#unattributed} they add up to the total.
     */
    public List<Site> sites() {
        return attribution.sites();
    }

    /**
     * Loads and links what the hooks need, so that no thread of the application has to. Must be
     * called on a thread of the agent, before the probe calls this ledger's hooks. Returns after
     * every hook has run once on a carrier of {@code scheduler} and once on the current thread, for
     * a ledger that is discarded.
     */
    public void warmUp(OwnScheduler scheduler) {
        Ledger thrownAway = new Ledger(monitorsPin, 0, new FramesOfInterest(1), 1, Buckets.FINE);
        scheduler
                .start(
                        new Runnable() {
                            @Override
                            public void run() {
                                StackFingerprint.prove();
                                HookWarmUp.of(thrownAway.hooks);
                            }
                        })
                .join();
        CarrierLocal.warmUp();
        relief.warmUp();
        thrownAway.hookAttribution.warmUp();
        // here with stacks, which are not walked on the agent's own carriers
        HookWarmUp.of(thrownAway.hooks);
        thrownAway.active();
        hookAttribution.begin();
    }
}
