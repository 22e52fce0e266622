package io.vtagent.record;

import org.jspecify.annotations.Nullable;

/**
 * What a carrier is held by now, and what it was held by so far.
 *
 * <p>Written by the virtual thread that is mounted on the carrier, which cannot move while it is held, and read by anybody. An
 * interval whose thread has left the carrier in spite of it (an {@code Object.wait} that could unmount after all) is stale: the
 * next thread to begin one replaces it, and {@link #active} does not show it.
 */
final class CarrierSlot {
    private final Thread carrier;
    private final Tallies tallies;

    /** Written after the fields that describe the interval, and read before them. */
    private volatile @Nullable Thread owner;

    private long startedAtNanos;
    private PinKind kind = PinKind.PARK;
    private PinReason reason = PinReason.NONE;
    private @Nullable Site site;
    private @Nullable Object monitor;
    private boolean compensated;
    private long relief;
    private boolean askingForRelief;
    private int nested;

    private PinReason failedYield = PinReason.NONE;
    private boolean compensationAccepted;
    private boolean recording;
    private long heldNanos;
    private long walkNanos;

    CarrierSlot(Thread carrier, Buckets buckets) {
        this.carrier = carrier;
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
        boolean inside = owner == thread;
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
        owner = thread;
    }

    /** Ends the interval of {@code thread}: its duration, or -1 if this ends a nested one or there is none. */
    long end(Thread thread) {
        if (recording || owner != thread) {
            return -1;
        }
        if (nested > 0) {
            nested--;
            return -1;
        }
        long durationNanos = System.nanoTime() - startedAtNanos;
        owner = null;
        monitor = null;
        return durationNanos;
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
        heldNanos += durationNanos;
        tallies.add(durationNanos, kind, why, compensated, attributedTo);
    }

    /**
     * Begins the attribution of a pin that is held for {@code durationNanos} so far, during which this carrier records nothing, unless walking stacks has cost more than its
     * share of the time that the carrier was held.
     */
    boolean beginAttribution(long durationNanos) {
        boolean affordable = walkNanos <= (heldNanos + durationNanos) / Ledger.WALK_SHARE + Ledger.WALK_ALLOWANCE_NANOS;
        recording = affordable;
        return affordable;
    }

    void askForRelief(boolean asking) {
        askingForRelief = asking;
    }

    boolean isAskingForRelief() {
        return askingForRelief;
    }

    /** What {@link Reliever#begin} gave for the interval in progress. */
    void relieved(long begun) {
        relief = begun;
    }

    /** What {@link Reliever#begin} gave for the interval that ended last, or 0. Asked for once. */
    long takeRelief() {
        long begun = relief;
        relief = 0;
        return begun;
    }

    boolean isRecording() {
        return recording;
    }

    void endAttribution(long spentNanos) {
        recording = false;
        walkNanos += spentNanos;
    }

    @Nullable
    ActivePin active(long nowNanos) {
        Thread thread = owner;
        PinKind activeKind = kind;
        PinReason activeReason = reason;
        Site activeSite = site;
        Object activeMonitor = monitor;
        long ageNanos = nowNanos - startedAtNanos;
        if (thread == null) {
            return null;
        }
        boolean activeCompensated = compensated || relief > 0;
        if (owner != thread) {
            return null;
        }
        return new ActivePin(
                activeKind,
                activeSite == null ? activeReason : activeSite.reason(),
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
