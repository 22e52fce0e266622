package io.vtagent.hook;

import io.vtagent.hotspot.ContentionCounter;
import io.vtagent.kernel.RunDelay;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * The state of a carrier: the pin that holds it, the time held by earlier pins, the compensation
 * for it, and what the JDK reported about the thread mounted on it. Written by that thread, which
 * cannot move while the carrier is held. The exceptions are the run queue delay, which the sampler
 * switches on and off, and the {@link CompensationToken}, which another thread may take. Any thread
 * may read it.
 */
public final class CarrierSlot {
    private final Thread carrier;
    private final PinHistograms histograms;
    private final boolean walks;
    private final WalkBudget walkBudget;
    private final PinInterval interval = new PinInterval();
    private final CompensationToken relief = new CompensationToken();
    private PinReason failedYield = PinReason.NONE;
    private boolean compensationAccepted;
    private int maybeUnasked;

    /** Null unless CPU time has been short. */
    private volatile @Nullable RunDelay runDelay;

    /**
     * The count of contended monitor entries in this JVM ({@link ContentionCounter}) when the
     * thread was about to enter a monitor.
     */
    long contendedBefore;

    /**
     * Whether the agent is walking a stack or notifying listeners; nothing is recorded on this
     * carrier meanwhile. A field rather than a setter, because writing to a field uses no stack.
     */
    boolean recording;

    /**
     * @param walks whether stacks are walked on this carrier; false for the agent's own carriers
     */
    public CarrierSlot(Thread carrier, Buckets buckets, boolean walks) {
        this(carrier, buckets, walks, new WalkBudget());
    }

    /**
     * @param walkBudget a new budget, or that of a carrier that has ended
     */
    public CarrierSlot(Thread carrier, Buckets buckets, boolean walks, WalkBudget walkBudget) {
        this.carrier = carrier;
        this.walks = walks;
        this.walkBudget = walkBudget;
        histograms = new PinHistograms(buckets);
    }

    public Thread carrier() {
        return carrier;
    }

    /**
     * Returns the number of monitor entries so far that could have gone unchecked ({@link
     * ReentryCheck}), and increments it. Called by the thread that is mounted on the carrier.
     */
    int nextMaybeUnasked() {
        return maybeUnasked++;
    }

    /** Returns whether the carrier is one of the agent's own. */
    boolean isAgents() {
        return !walks;
    }

    void yieldFailed(PinReason why) {
        failedYield = why;
    }

    /** Returns why the JVM did not unmount the thread that is about to park, and clears it. */
    PinReason takeFailedYield() {
        PinReason why = failedYield;
        failedYield = PinReason.NONE;
        return why;
    }

    void compensationTried(boolean accepted) {
        compensationAccepted = accepted;
    }

    /** Returns whether the last attempt to compensate on this carrier succeeded, and clears it. */
    boolean takeCompensation() {
        boolean accepted = compensationAccepted;
        compensationAccepted = false;
        return accepted;
    }

    /** Records whether the scheduler compensated for the interval in progress. */
    void compensated(boolean accepted) {
        interval.compensated(accepted && !recording);
    }

    /**
     * Returns whether {@code thread} is already in an interval. If so, the interval expects one
     * more end.
     */
    boolean nest(Thread thread) {
        return interval.nest(thread);
    }

    /**
     * Begins an interval.
     *
     * @param site the site that the interval is attributed to, or null if it is not known yet
     * @param monitor the monitor that {@code thread} waits to enter, or null
     */
    public void begin(
            Thread thread,
            PinKind kind,
            PinReason reason,
            @Nullable Site site,
            @Nullable Object monitor) {
        if (!recording) {
            interval.begin(thread, kind, reason, site, monitor);
        }
    }

    /** Ends the interval of {@code thread}: see {@link PinInterval#end}. */
    public long end(Thread thread, boolean timed) {
        return recording ? -1 : interval.end(thread, timed);
    }

    /**
     * Drops the interval of {@code thread}, which has left this carrier, if it is still recorded.
     */
    void abandon(Thread thread) {
        interval.abandon(thread);
    }

    /** Returns the interval in progress, or the one that ended last. */
    PinInterval interval() {
        return interval;
    }

    /**
     * Starts to subtract the run queue delay of the carrier from pins, if possible. Called
     * repeatedly by the sampler.
     */
    public void watchRunDelay() {
        RunDelay known = runDelay;
        if (known == null) {
            runDelay = new RunDelay();
        } else {
            known.refresh();
        }
    }

    /** Stops subtracting the run queue delay. */
    public void watchRunDelayNoMore() {
        runDelay = null;
    }

    /**
     * Returns {@code durationNanos}, the length of an interval that ends now, without the carrier's
     * run queue delay in it.
     */
    long withoutRunDelay(long durationNanos) {
        RunDelay known = runDelay;
        return known == null ? durationNanos : known.withoutDelay(durationNanos);
    }

    /**
     * Counts the interval that ended last. {@code attributedTo} is null if its stack was not
     * walked.
     */
    public void record(long durationNanos, PinReason why, @Nullable Site attributedTo) {
        walkBudget.held(durationNanos);
        histograms.add(durationNanos, interval.kind(), why, interval.isCompensated(), attributedTo);
    }

    /**
     * Returns whether the stack of a pin that has lasted {@code durationNanos} so far may be
     * walked. It may not if walking has exceeded its share of the carrier's held time ({@link
     * WalkBudget}).
     */
    boolean mayWalk(long durationNanos) {
        return walks && walkBudget.allowsWalk(durationNanos);
    }

    /**
     * Returns whether the stack of a pin that is about to begin may be walked, although the pin may
     * turn out to be too short for its stack to be needed.
     */
    boolean mayWalkAtBegin() {
        return walks && walkBudget.allowsWalkAtBegin();
    }

    /**
     * Records that the stack of a pin that had lasted {@code durationNanos} was walked, or that the
     * walk failed.
     */
    void walked(long durationNanos, long spentNanos) {
        walkBudget.walked(durationNanos, spentNanos);
    }

    WalkBudget walkBudget() {
        return walkBudget;
    }

    CompensationToken relief() {
        return relief;
    }

    /**
     * Returns the {@link CompensationToken#number} of compensation that was not released although
     * no thread holds the carrier any more; 0 if there is none.
     */
    long lostRelief() {
        // in this order: a thread begins its interval before it requests compensation
        long number = relief.number();
        Thread thread = interval.owner();
        return thread == null || !VirtualThreads.isMounted(thread, carrier) ? number : 0;
    }

    /** Returns the interval in progress, as of {@code nowNanos}; null if there is none. */
    @Nullable ActivePin active(long nowNanos) {
        return interval.active(carrier, nowNanos, relief);
    }

    public PinHistograms histograms() {
        return histograms;
    }
}
