package io.vtagent.record;

import io.vtagent.vm.VirtualThreads;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a carrier is held by now, and what it was held by so far.
 *
 * <p>Written by the virtual thread that is mounted on the carrier, which cannot move while it is held, and read by anybody. An
 * interval whose thread has left the carrier in spite of it (an {@code Object.wait} that could unmount after all) is stale: its
 * thread abandons it from wherever it goes on, or the next thread to begin one replaces it.
 */
final class CarrierSlot {
    private final Thread carrier;
    private final Tallies tallies;
    private final boolean walks;
    private final WalkBudget walkBudget = new WalkBudget();

    /** Whose interval it is. Written after the fields that describe the interval, and read before them. */
    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();

    private long startedAtNanos;
    private PinKind kind = PinKind.PARK;
    private PinReason reason = PinReason.NONE;
    private @Nullable Site site;
    private @Nullable Object monitor;
    private boolean compensated;
    /** Who takes it gives it back: the thread of the interval, or whoever finds that it could not. */
    private final AtomicLong relief = new AtomicLong();

    private boolean askingForRelief;
    private int nested;

    private PinReason failedYield = PinReason.NONE;
    private boolean compensationAccepted;

    /** Whether a stack is walked, while which nothing is recorded here. A field, since to write to it takes no stack. */
    boolean recording;

    /** @param walks whether stacks are walked at all on this carrier */
    CarrierSlot(Thread carrier, Buckets buckets, boolean walks) {
        this.carrier = carrier;
        this.walks = walks;
        tallies = new Tallies(buckets);
    }

    Thread carrier() {
        return carrier;
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
        compensated |= accepted && !recording;
    }

    /** Whether {@code thread} is in an interval already, which then has one more end to come. */
    boolean nest(Thread thread) {
        boolean inside = owner.get() == thread;
        if (inside) {
            nested++;
        }
        return inside;
    }

    /**
     * Begins an interval.
     *
     * @param newSite what it is attributed to, if that is known already
     * @param newMonitor what {@code thread} waits to enter
     */
    void begin(
            Thread thread, PinKind newKind, PinReason newReason, @Nullable Site newSite, @Nullable Object newMonitor) {
        if (recording) {
            return;
        }
        site = newSite;
        monitor = newMonitor;
        nested = 0;
        compensated = false;
        reason = newReason;
        kind = newKind;
        startedAtNanos = System.nanoTime();
        owner.set(thread);
    }

    /** Ends the interval of {@code thread}: its duration, or -1 if this ends a nested one or there is none. */
    long end(Thread thread) {
        if (recording || owner.get() != thread) {
            return -1;
        }
        if (nested > 0) {
            nested--;
            return -1;
        }
        long durationNanos = System.nanoTime() - startedAtNanos;
        owner.set(null);
        monitor = null;
        return durationNanos;
    }

    /** Drops the interval of {@code thread}, which is not on this carrier any more, if it is still there. */
    void abandon(Thread thread) {
        owner.compareAndSet(thread, null);
    }

    /** What the interval that ended last is attributed to, if that was known when it began. */
    @Nullable
    Site site() {
        return site;
    }

    PinKind kind() {
        return kind;
    }

    PinReason reason() {
        return reason;
    }

    /** Adds the interval that ended last. {@code attributedTo} is null if its stack was not walked. */
    void record(long durationNanos, PinReason why, @Nullable Site attributedTo) {
        walkBudget.held(durationNanos);
        tallies.add(durationNanos, kind, why, compensated, attributedTo);
    }

    /**
     * Whether the stack of a pin that is held for {@code durationNanos} so far may be walked: unless that has cost more than its share
     * of the time that the carrier was held.
     */
    boolean mayWalk(long durationNanos) {
        return walks && walkBudget.allowsWalk(durationNanos);
    }

    void askForRelief(boolean asking) {
        askingForRelief = asking;
    }

    boolean isAskingForRelief() {
        return askingForRelief;
    }

    /** What {@link Reliever#begin} gave for the interval in progress. */
    void relieved(long begun) {
        relief.set(begun);
    }

    /** What {@link Reliever#begin} gave for the interval that ended last, or 0. Asked for once. */
    long takeRelief() {
        return isRelieved() ? relief.getAndSet(0) : 0;
    }

    boolean isRelieved() {
        return relief.get() != 0;
    }

    /** Whether what {@link Reliever#begin} gave was not given back, though no thread holds the carrier any more. */
    boolean isReliefLost() {
        Thread thread = owner.get();
        return isRelieved() && (thread == null || !VirtualThreads.isMounted(thread, carrier));
    }

    /** The stack of a pin was walked, or that was tried. */
    void walked(long spentNanos) {
        walkBudget.walked(spentNanos);
    }

    @Nullable
    ActivePin active(long nowNanos) {
        Thread thread = owner.get();
        PinKind activeKind = kind;
        PinReason activeReason = reason;
        Site activeSite = site;
        Object activeMonitor = monitor;
        long ageNanos = nowNanos - startedAtNanos;
        if (thread == null) {
            return null;
        }
        boolean activeCompensated = compensated || relief.get() > 0;
        if (owner.get() != thread) {
            return null;
        }
        return new ActivePin(
                activeKind,
                activeSite == null ? activeReason : activeSite.refine(activeReason),
                Math.max(ageNanos, 0),
                thread,
                carrier,
                activeCompensated,
                activeSite,
                activeMonitor);
    }

    Tallies tallies() {
        return tallies;
    }
}
