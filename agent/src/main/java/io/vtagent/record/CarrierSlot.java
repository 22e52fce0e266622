package io.vtagent.record;

import io.vtagent.vm.ContendedEntries;
import io.vtagent.vm.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a carrier: the pin that it is held by, what it was held by so far, what was done to make up for it, and what the JDK
 * told of the thread that is mounted on it. Written by that thread, which cannot move while the carrier is held, and read by anybody.
 */
final class CarrierSlot {
    private final Thread carrier;
    private final PinHistograms histograms;
    private final boolean walks;
    private final WalkBudget walkBudget = new WalkBudget();
    private final PinInterval interval = new PinInterval();
    private final CarrierRelief relief = new CarrierRelief();
    private PinReason failedYield = PinReason.NONE;
    private boolean compensationAccepted;
    private int maybeUnasked;

    /** How often threads had waited to enter a monitor, of this JVM, when the thread was about to enter one ({@link ContendedEntries}). */
    long contendedBefore;

    /** Whether a stack is walked, while which nothing is recorded here. A field, since to write to it takes no stack. */
    boolean recording;

    /** @param walks whether stacks are walked at all on this carrier: not on the agent's own */
    CarrierSlot(Thread carrier, Buckets buckets, boolean walks) {
        this.carrier = carrier;
        this.walks = walks;
        histograms = new PinHistograms(buckets);
    }

    Thread carrier() {
        return carrier;
    }

    /** How many entries of monitors might go unasked so far ({@link ReentryCheck}). For the thread that is mounted on the carrier. */
    int nextMaybeUnasked() {
        return maybeUnasked++;
    }

    /** Whether the carrier is one of the agent's own. */
    boolean isAgents() {
        return !walks;
    }

    void yieldFailed(PinReason why) {
        failedYield = why;
    }

    /** Why the JVM did not unmount the thread that is about to park, asked for once. */
    PinReason takeFailedYield() {
        PinReason why = failedYield;
        failedYield = PinReason.NONE;
        return why;
    }

    void compensationTried(boolean accepted) {
        compensationAccepted = accepted;
    }

    /** Whether the last attempt to compensate on this carrier succeeded, asked for once. */
    boolean takeCompensation() {
        boolean accepted = compensationAccepted;
        compensationAccepted = false;
        return accepted;
    }

    /** The scheduler's answer for the interval in progress. */
    void compensated(boolean accepted) {
        interval.compensated(accepted && !recording);
    }

    /** Whether {@code thread} is in an interval already, which then has one more end to come. */
    boolean nest(Thread thread) {
        return interval.nest(thread);
    }

    /**
     * Begins an interval.
     *
     * @param site what it is attributed to, if that is known already
     * @param monitor what {@code thread} waits to enter
     */
    void begin(Thread thread, PinKind kind, PinReason reason, @Nullable Site site, @Nullable Object monitor) {
        if (!recording) {
            interval.begin(thread, kind, reason, site, monitor);
        }
    }

    /** Ends the interval of {@code thread}: see {@link PinInterval#end}. */
    long end(Thread thread) {
        return recording ? -1 : interval.end(thread);
    }

    /** The same without a look at the clock: see {@link PinInterval#endUntimed}. */
    long endUntimed(Thread thread) {
        return recording ? -1 : interval.endUntimed(thread);
    }

    /** Drops the interval of {@code thread}, which is not on this carrier any more, if it is still there. */
    void abandon(Thread thread) {
        interval.abandon(thread);
    }

    /** The interval in progress, or the one that ended last. */
    PinInterval interval() {
        return interval;
    }

    /** Adds the interval that ended last. {@code attributedTo} is null if its stack was not walked. */
    void record(long durationNanos, PinReason why, @Nullable Site attributedTo) {
        walkBudget.held(durationNanos);
        histograms.add(durationNanos, interval.kind(), why, interval.isCompensated(), attributedTo);
    }

    /**
     * Whether the stack of a pin that is held for {@code durationNanos} so far may be walked: unless that has cost more than its share
     * of the time that the carrier was held ({@link WalkBudget}).
     */
    boolean mayWalk(long durationNanos) {
        return walks && walkBudget.allowsWalk(durationNanos);
    }

    /** Whether the stack of a pin that is about to begin may be walked though it may turn out to be too short for anybody to want it. */
    boolean mayLookAhead() {
        return walks && walkBudget.allowsLookingAhead();
    }

    /** The stack of a pin that was held for {@code durationNanos} so far was walked, or that was tried. */
    void walked(long durationNanos, long spentNanos) {
        walkBudget.walked(durationNanos, spentNanos);
    }

    CarrierRelief relief() {
        return relief;
    }

    /** Whether what was done to make up for the carrier was not given back, though no thread holds it any more. */
    boolean isReliefLost() {
        Thread thread = interval.owner();
        return relief.isToBeGivenBack() && (thread == null || !VirtualThreads.isMounted(thread, carrier));
    }

    /** The interval in progress, as of {@code nowNanos}; null if there is none. */
    @Nullable
    ActivePin active(long nowNanos) {
        return interval.active(carrier, nowNanos, relief.isMadeUpFor());
    }

    PinHistograms histograms() {
        return histograms;
    }
}
