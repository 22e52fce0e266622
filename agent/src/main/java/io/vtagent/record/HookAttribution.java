package io.vtagent.record;

import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.StackHeadroom;
import io.vtagent.vm.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * How the {@link Hooks} find the sites of pins: the code of the JDK that walks a stack could block, so it runs in a critical
 * section, and it takes time, so it is limited to a share of what it explains.
 */
final class HookAttribution {
    /**
     * With a higher threshold for stacks, nobody wants to know the sites of pins in progress. Below it the stack is walked when a
     * pin begins, since that is the last moment at which its thread can tell its monitors.
     */
    private static final long LONGEST_LOOK_AHEAD_NANOS = 10_000_000_000L;

    private final Attribution attribution;
    private volatile long stackThresholdNanos;

    private volatile boolean looksAhead;

    private volatile boolean looksAheadAlways;

    private volatile boolean whateverItCosts;

    /** No stack is walked before {@link #begin}: the first walk loads classes, for which it may have to wait. */
    private volatile boolean walks;

    HookAttribution(Attribution attribution, long stackThresholdNanos) {
        this.attribution = attribution;
        stackThreshold(stackThresholdNanos);
    }

    void stackThreshold(long nanos) {
        stackThresholdNanos = nanos;
        looksAhead = looksAheadAlways || nanos <= LONGEST_LOOK_AHEAD_NANOS;
    }

    /** Whether a pin was long enough for somebody to want its stack. */
    boolean isForStack(long durationNanos) {
        return durationNanos >= stackThresholdNanos;
    }

    /** Whether somebody wants to know the sites of pins in progress. */
    boolean looksAhead() {
        return looksAhead;
    }

    /** Whatever the threshold, somebody wants to know the sites of pins in progress. */
    void looksAheadAlways() {
        looksAheadAlways = true;
        looksAhead = true;
    }

    /** Whether the site of every pin is wanted, however much of the carriers' time that takes. */
    void whateverItCosts(boolean wanted) {
        whateverItCosts = wanted;
    }

    boolean isWhateverItCosts() {
        return whateverItCosts;
    }

    /** The site of a pin that is about to begin, if somebody wants to know it already. */
    @Nullable
    Site atBegin(CarrierSlot slot, PinKind kind, PinReason reason, @Nullable Object monitor) {
        boolean wanted = looksAhead && !slot.recording && (looksAheadAlways || whateverItCosts || slot.mayLookAhead());
        return wanted ? siteOf(slot, kind, reason, 0, monitor) : null;
    }

    /** The site of the current thread's pin, unless that would cost too much. */
    @Nullable
    Site siteOf(CarrierSlot slot, PinKind kind, PinReason reason, long durationNanos, @Nullable Object monitor) {
        if (!walks || slot.isAgents() || !(whateverItCosts || slot.mayWalk(durationNanos))) {
            return null;
        }
        long beganNanos;
        try {
            StackHeadroom.claim();
            beganNanos = System.nanoTime();
            VirtualThreads.pin();
        } catch (Throwable nearTheEndOfTheStack) {
            return null;
        }
        slot.recording = true;
        Site site = null;
        try {
            site = attribution.siteOf(kind, reason, monitor);
        } catch (Throwable unreadable) {
            // whatever it is, the pin counts
        } finally {
            slot.recording = false;
            VirtualThreads.unpin();
        }
        slot.walked(durationNanos, System.nanoTime() - beganNanos);
        return site;
    }

    /** Loads and links what is needed to walk stacks, by walking in every way once, and {@link #begin begins}. */
    void warmUp() {
        Attribution thrownAway = new Attribution(1, new FramesOfInterest(1));
        thrownAway.warmUp();
        Object noMonitor = null;
        for (PinReason reason : PinReason.values()) {
            thrownAway.siteOf(PinKind.PARK, reason, noMonitor);
        }
        thrownAway.siteOf(PinKind.ENTER, PinReason.MONITOR, thrownAway);
        StackHeadroom.claim();
        begin();
    }

    /** From now on stacks are walked. What that takes has been loaded. */
    void begin() {
        walks = true;
    }
}
