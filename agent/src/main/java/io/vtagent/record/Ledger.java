package io.vtagent.record;

import io.vtagent.probe.VtAgentSensor;
import io.vtagent.vm.CarrierLocal;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.NativeFrames;
import io.vtagent.vm.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the sensors report into pins, and keeps them.
 *
 * <p>The methods of {@link VtAgentSensor} run on virtual threads that hold their carrier: they take no lock and do not park.
 * Without a stack they allocate nothing, but for the first pin of a carrier. The other methods are for the agent's own threads.
 */
public final class Ledger implements VtAgentSensor {
    /** Stacks are walked for at most this part of the time that a carrier is held ... */
    static final int WALK_SHARE = 50;
    /** ... and this much, for the first ones, which are slow. */
    static final long WALK_ALLOWANCE_NANOS = 100_000_000;

    /**
     * An entry that took less did not block: to put a thread to sleep and wake it takes the operating system longer. It was an
     * inflated monitor that nobody owned, or one that was had by spinning.
     */
    static final long SHORTEST_ENTRY_NANOS = 5_000;

    /**
     * With a higher threshold for stacks, nobody wants to know the sites of pins in progress. Below it the stack is walked when a
     * pin begins, since that is the last moment at which its thread can tell its monitors.
     */
    private static final long LONGEST_LOOK_AHEAD_NANOS = 10_000_000_000L;

    private final Queue<CarrierSlot> slots = new ConcurrentLinkedQueue<>();
    private final CarrierLocal<CarrierSlot> current;
    private final Tallies outside;
    private final LongAdder refused = new LongAdder();
    private final boolean monitorsPin;
    private final long stackThresholdNanos;
    private volatile boolean wantsLookAhead;

    /** Not before {@link #warmUp}: the first walk loads classes, for which it may have to wait. */
    private volatile boolean looksAhead;

    private volatile Reliever reliever = Reliever.NONE;
    private final Attribution attribution;
    private final Collector collector;

    /**
     * @param monitorsPin whether a thread that holds a monitor can not unmount in this JVM
     * @param stackThresholdNanos the shortest pin whose stack is walked
     * @param stackDepth the most frames of a stack that are kept
     * @param maxSites the most sites that are kept
     */
    public Ledger(boolean monitorsPin, long stackThresholdNanos, int stackDepth, int maxSites, Buckets buckets) {
        this.monitorsPin = monitorsPin;
        this.stackThresholdNanos = stackThresholdNanos;
        wantsLookAhead = stackThresholdNanos <= LONGEST_LOOK_AHEAD_NANOS;
        outside = new Tallies(buckets);
        attribution = new Attribution(maxSites, stackDepth);
        collector = new Collector(buckets);
        current = new CarrierLocal<>(carrier -> {
            CarrierSlot slot = new CarrierSlot(carrier, buckets);
            slots.add(slot);
            return slot;
        });
    }

    @Override
    public void yieldFailed(String reason) {
        current.get().yieldFailed(PinReason.ofFailedYield(reason));
    }

    @Override
    public void parkBegan() {
        CarrierSlot slot = current.get();
        PinReason reason = slot.takeFailedYield();
        Site site = lookAhead(slot, PinKind.PARK, reason, null);
        slot.begin(Thread.currentThread(), PinKind.PARK, reason, site, null);
        relieve(slot, site);
    }

    @Override
    public void parkEnded() {
        end(current.get(), 0);
    }

    @Override
    public void waitBegan() {
        CarrierSlot slot = current.get();
        // where monitors do not pin, it may well unmount
        Site site = monitorsPin ? lookAhead(slot, PinKind.WAIT, PinReason.MONITOR, null) : null;
        slot.begin(Thread.currentThread(), PinKind.WAIT, PinReason.MONITOR, site, null);
    }

    @Override
    public void waitEnded(@Nullable Throwable thrown) {
        CarrierSlot slot = current.get();
        long durationNanos = slot.end(Thread.currentThread());
        if (durationNanos < 0) {
            return;
        }
        reliever.end(0, durationNanos);
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
        CarrierSlot slot = current.get();
        Site site = lookAhead(slot, PinKind.ENTER, PinReason.MONITOR, monitor);
        slot.begin(Thread.currentThread(), PinKind.ENTER, PinReason.MONITOR, site, monitor);
        relieve(slot, site);
        return true;
    }

    @Override
    public void enterEnded() {
        end(current.get(), SHORTEST_ENTRY_NANOS);
    }

    @Override
    public void compensationTried(boolean compensated) {
        current.get().compensationTried(compensated);
    }

    @Override
    public void ioBegan() {
        CarrierSlot slot = current.get();
        Thread thread = Thread.currentThread();
        // up to JDK 23, Object.wait brackets itself
        if (!monitorsPin || !slot.nest(thread)) {
            slot.begin(thread, PinKind.IO, PinReason.NONE, null, null);
        }
        slot.compensated(slot.takeCompensation());
    }

    @Override
    public void ioEnded() {
        end(current.get(), 0);
    }

    private void end(CarrierSlot slot, long shortestNanos) {
        long durationNanos = slot.end(Thread.currentThread());
        if (durationNanos < 0) {
            return;
        }
        reliever.end(slot.takeRelief(), durationNanos);
        Site site = slot.site();
        if (site != null) {
            site.ended(durationNanos);
        }
        if (durationNanos >= shortestNanos) {
            record(slot, durationNanos, slot.reason());
        }
    }

    private void relieve(CarrierSlot slot, @Nullable Site site) {
        if (site == null || reliever == Reliever.NONE || slot.isRecording()) {
            return;
        }
        slot.askForRelief(true);
        long begun = reliever.begin(site);
        slot.askForRelief(false);
        slot.relieved(begun);
        boolean bySchedulerItself = slot.takeCompensation();
        slot.compensated(bySchedulerItself || begun > 0);
    }

    /** From now on, {@code newReliever} makes up for held carriers. It asks for sites, so stacks are read when pins begin. Comes before {@link #warmUp}. */
    public void relieveBy(Reliever newReliever) {
        wantsLookAhead = true;
        reliever = newReliever;
    }

    private void record(CarrierSlot slot, long durationNanos, PinReason reason) {
        Site site = null;
        if (durationNanos >= stackThresholdNanos) {
            site = slot.site();
            if (site == null) {
                site = attribute(slot, slot.kind(), reason, durationNanos, null);
            }
        }
        slot.record(durationNanos, site == null ? reason : site.reason(), site);
    }

    private @Nullable Site lookAhead(CarrierSlot slot, PinKind kind, PinReason reason, @Nullable Object monitor) {
        return looksAhead && !slot.isRecording() ? attribute(slot, kind, reason, 0, monitor) : null;
    }

    /** The site of the current thread's pin, unless that would cost too much. */
    private @Nullable Site attribute(
            CarrierSlot slot, PinKind kind, PinReason reason, long durationNanos, @Nullable Object monitor) {
        if (!slot.beginAttribution(durationNanos)) {
            return null;
        }
        long beganNanos = System.nanoTime();
        VirtualThreads.pin();
        try {
            return attribution.siteOf(kind, reason, monitor);
        } catch (Throwable unreadable) {
            return null; // whatever it is, the pin counts
        } finally {
            VirtualThreads.unpin();
            slot.endAttribution(System.nanoTime() - beganNanos);
        }
    }

    @Override
    public void carrierAdded() {
        Thread thread = Thread.currentThread();
        if (thread.isVirtual() ? current.get().isAskingForRelief() : reliever.isAsking(thread)) {
            reliever.carrierAdded();
        }
    }

    @Override
    public void unmounted() {
        reliever.unmounted();
    }

    @Override
    public void submitFailed() {
        refused.increment();
    }

    /** How often the scheduler refused a virtual thread. */
    public long submitFailures() {
        return refused.sum();
    }

    /**
     * Adds a pin that was noticed from outside, on a thread that is not virtual.
     *
     * @param stack asked only if the pin is not shorter than the threshold for stacks; gives null if there is none
     */
    public void add(PinKind kind, PinReason reason, long durationNanos, Supplier<@Nullable HeldStack> stack) {
        HeldStack read = durationNanos < stackThresholdNanos ? null : stack.get();
        Site site = read == null ? null : attribution.siteOf(kind, reason, read);
        synchronized (outside) {
            outside.add(durationNanos, kind, site == null ? reason : site.reason(), false, site);
        }
    }

    /** The pins in progress. */
    public List<ActivePin> active() {
        List<ActivePin> active = new ArrayList<>();
        long nowNanos = System.nanoTime();
        for (CarrierSlot slot : slots) {
            ActivePin pin = slot.active(nowNanos);
            if (pin != null && VirtualThreads.isMounted(pin.thread(), pin.carrier())) {
                active.add(pin);
            }
        }
        return active;
    }

    /** Sums up the pins that have ended. */
    public Totals totals() {
        return collector.collect(slots, outside);
    }

    /** Hands {@code sink} all pins since the agent began, and from then on, at each {@link #totals()}, those that are new. */
    public void publishTo(PinSink sink) {
        collector.publishTo(sink);
    }

    /** The sites that pins are attributed to, in no order. With those that {@link Totals#unattributed} holds they add up. */
    public List<Site> sites() {
        return attribution.sites();
    }

    /** Loads and links what attribution needs, so that the first pins do not wait for it. For a thread of the agent. */
    public void warmUp() {
        Attribution thrownAway = new Attribution(1, 1);
        Object noMonitor = null;
        for (PinReason reason : PinReason.values()) {
            thrownAway.siteOf(PinKind.PARK, reason, noMonitor);
        }
        thrownAway.siteOf(PinKind.ENTER, PinReason.MONITOR, this);
        looksAhead = wantsLookAhead;
    }
}
