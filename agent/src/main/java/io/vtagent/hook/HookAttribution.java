package io.vtagent.hook;

import io.vtagent.jvm.StackHeadroom;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.NativeFrames;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.StackCache;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sites of pins for the {@link Hooks}. The JDK's code that walks a stack could block, so
 * it runs in a critical section. Walking takes time, so it is limited to a share of the time that
 * the pins held.
 */
public class HookAttribution {
    /**
     * The stack threshold above which the sites of pins in progress are not needed. Up to it, the
     * stack is walked when a pin begins, because the thread's monitors can be read only until then.
     */
    private static final long MAX_WALK_AT_BEGIN_NANOS = 10_000_000_000L;

    private final Attribution attribution;
    private volatile long stackThresholdNanos;

    private volatile boolean walksAtBegin;

    private volatile boolean walksAtBeginAlways;

    private volatile boolean whateverItCosts;

    /**
     * Whether stacks are walked, which starts with {@link #begin}: the first walk loads classes,
     * which the thread may have to wait for.
     */
    private volatile boolean walks;

    public HookAttribution(Attribution attribution, long stackThresholdNanos) {
        this.attribution = attribution;
        stackThreshold(stackThresholdNanos);
    }

    /** Sets the shortest duration of a pin whose stack is walked. */
    public final void stackThreshold(long nanos) {
        stackThresholdNanos = nanos;
        walksAtBegin = walksAtBeginAlways || nanos <= MAX_WALK_AT_BEGIN_NANOS;
    }

    /** Finds what keeps the current thread on its carrier where monitors do not pin. */
    PinnedStack.Cause cause() {
        return NativeFrames.onCurrentThread();
    }

    /** Returns whether a pin was long enough for its stack to be needed. */
    public boolean isForStack(long durationNanos) {
        return durationNanos >= stackThresholdNanos;
    }

    /** Returns whether the sites of pins in progress are needed. */
    public boolean walksAtBegin() {
        return walksAtBegin;
    }

    /** Sets whether the sites of pins in progress are needed whatever the threshold. */
    public void walksAtBeginAlways(boolean wanted) {
        walksAtBeginAlways = wanted;
        stackThreshold(stackThresholdNanos);
    }

    /** Sets whether every pin's site is needed, however much of the carriers' time that takes. */
    public void whateverItCosts(boolean wanted) {
        whateverItCosts = wanted;
    }

    /** Returns whether every pin's site is needed. */
    public boolean isWhateverItCosts() {
        return whateverItCosts;
    }

    /** Returns the attribution of a pin that is about to begin, or null if it is not needed yet. */
    @Nullable Attributed atBegin(
            CarrierSlot slot, PinKind kind, PinReason reason, @Nullable Object monitor) {
        boolean wanted =
                walksAtBegin
                        && !slot.recording
                        && (walksAtBeginAlways || whateverItCosts || slot.mayWalkAtBegin());
        return wanted ? attribute(slot, kind, reason, 0, monitor) : null;
    }

    /**
     * Returns the attribution of the current thread's pin, or null if finding it would cost too
     * much or fails.
     */
    @Nullable Attributed attribute(
            CarrierSlot slot,
            PinKind kind,
            PinReason reason,
            long durationNanos,
            @Nullable Object monitor) {
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
        Attributed found = null;
        try {
            found = attribution.attribute(kind, reason, monitor);
        } catch (Throwable unreadable) {
            // the pin is counted anyway
        } finally {
            slot.recording = false;
            VirtualThreads.unpin();
        }
        slot.walked(durationNanos, System.nanoTime() - beganNanos);
        return found;
    }

    /**
     * Returns what keeps the current thread on the carrier of {@code slot} where monitors do not
     * pin, as far as its stack can be walked.
     */
    PinnedStack.Cause holderOf(CarrierSlot slot) {
        try {
            StackHeadroom.claim();
            VirtualThreads.pin();
        } catch (Throwable nearTheEndOfTheStack) {
            return PinnedStack.Cause.NONE;
        }
        boolean recordedBefore = slot.recording;
        slot.recording = true;
        try {
            return cause();
        } catch (Throwable unreadable) {
            return PinnedStack.Cause.NONE;
        } finally {
            slot.recording = recordedBefore;
            VirtualThreads.unpin();
        }
    }

    /**
     * Loads and links what walking stacks needs, by walking once in every way, and {@link #begin
     * begins}.
     */
    public void warmUp() {
        Attribution thrownAway = new Attribution(1, new FramesOfInterest(1));
        thrownAway.warmUp();
        Object noMonitor = null;
        for (PinReason reason : PinReason.values()) {
            thrownAway.attribute(PinKind.PARK, reason, noMonitor);
        }
        thrownAway.attribute(PinKind.ENTER, PinReason.MONITOR, thrownAway);
        StackCache.warmUp();
        StackHeadroom.claim();
        begin();
    }

    /** Starts walking stacks. The classes that this needs must have been loaded. */
    public void begin() {
        walks = true;
    }
}
