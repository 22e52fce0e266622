package io.vtagent.record;

import io.vtagent.probe.VtAgentSensor;
import io.vtagent.vm.CarrierLocal;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.MonitorStackWalker;
import io.vtagent.vm.NativeFrames;
import io.vtagent.vm.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    private static final long SHORTEST_ENTRY_NANOS = 5_000;

    private final Queue<CarrierSlot> slots = new ConcurrentLinkedQueue<>();
    private final CarrierLocal<CarrierSlot> current;
    private final boolean monitorsPin;
    private final long stackThresholdNanos;
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
        slot.begin(Thread.currentThread(), PinKind.PARK, slot.takeFailedYield());
    }

    @Override
    public void parkEnded() {
        end(current.get(), 0);
    }

    @Override
    public void waitBegan() {
        current.get().begin(Thread.currentThread(), PinKind.WAIT, PinReason.MONITOR);
    }

    @Override
    public void waitEnded(@Nullable Throwable thrown) {
        CarrierSlot slot = current.get();
        long durationNanos = slot.end(Thread.currentThread());
        boolean waited = durationNanos >= 0 && !(thrown instanceof RuntimeException);
        if (!waited) {
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
    public boolean enterBegan() {
        current.get().begin(Thread.currentThread(), PinKind.ENTER, PinReason.MONITOR);
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
            slot.begin(thread, PinKind.IO, PinReason.NONE);
        }
        slot.compensated(slot.takeCompensation());
    }

    @Override
    public void ioEnded() {
        end(current.get(), 0);
    }

    private void end(CarrierSlot slot, long shortestNanos) {
        long durationNanos = slot.end(Thread.currentThread());
        if (durationNanos >= shortestNanos) {
            record(slot, durationNanos, slot.reason());
        }
    }

    private void record(CarrierSlot slot, long durationNanos, PinReason reason) {
        Site site = null;
        if (durationNanos >= stackThresholdNanos && slot.beginAttribution(durationNanos)) {
            long beganNanos = System.nanoTime();
            try {
                site = siteOf(slot.kind(), reason);
            } catch (Throwable unreadable) {
                site = null; // whatever it is, the pin counts
            } finally {
                slot.endAttribution(System.nanoTime() - beganNanos);
            }
        }
        slot.record(durationNanos, site == null ? reason : site.reason(), site);
    }

    private Site siteOf(PinKind kind, PinReason reason) {
        VirtualThreads.pin();
        try {
            return attribution.siteOf(kind, reason);
        } finally {
            VirtualThreads.unpin();
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
        return collector.collect(slots);
    }

    /** Hands {@code sink} all pins since the agent began, and from then on, at each {@link #totals()}, those that are new. */
    public void publishTo(PinSink sink) {
        collector.publishTo(sink);
    }

    /** The sites that pins are attributed to, in no order. With those that {@link Totals#unattributed} holds they add up. */
    public List<Site> sites() {
        return attribution.sites();
    }

    /** Loads and links what attribution needs, so that the first pin does not pay for it. For a thread of the agent. */
    public void warmUp() {
        MonitorStackWalker walker = new MonitorStackWalker(1);
        List<HeldStack> stacks = List.of(walker.heldByMonitor(), walker.heldByNativeFrame(), walker.heldByCall());
        for (HeldStack stack : stacks) {
            assert stack.holderIndex() < 1;
        }
    }
}
