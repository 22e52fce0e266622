package io.vtagent.sampler;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * How long it is from one look at the carriers to the next: on average what the user asks for, less
 * where something is held that only the looks tell, more where nothing is held, and never so little
 * that looking takes more than a twentieth of a processor. Random, so that no rhythm of the
 * application's is missed. For one thread.
 */
final class SamplingInterval {
    /** A look takes at most this part of a processor's time, however many carriers there are. */
    static final int LOOK_SHARE = 20;

    /**
     * While something is held that only the looks tell, they come so many times as often: it is
     * known so much better how long.
     */
    private static final int OFTENER = 4;

    /**
     * After so long without anything held the looks come seldomer, and more so if no virtual thread
     * has run.
     */
    private static final long REST_AFTER_NANOS = 1_000_000_000;

    /** After so long without anything held, as seldom as if no virtual thread had run. */
    private static final long LONG_REST_AFTER_NANOS = 10_000_000_000L;

    private static final int SELDOMER = 4;

    /** Who compares the two allows for 30 ms (JfrReconciler). */
    private static final int SELDOMER_WITH_EVENTS = 2;

    private static final int SELDOMER_AT_REST = 20;
    private static final long MAX_REST_NANOS = 100_000_000;

    /**
     * A look that comes later than so many of the times that it was to take, and than {@link
     * #MAX_DELAY_NANOS}: the process had stopped.
     */
    private static final int MAX_PERIODS = 4;

    private static final long MAX_DELAY_NANOS = 200_000_000;

    private final long periodNanos;
    private final BooleanSupplier eventsRun;
    private final BooleanSupplier eachIsWanted;
    private long heldAtNanos;
    private long ranAtNanos;
    private long mounts;
    private long lookNanos;
    private long meanNanos;

    /**
     * @param periodNanos what the user asks for
     * @param eventsRun whether the JVM's events are compared with what is seen: then it has to be
     *     known when that began
     * @param eachIsWanted whether somebody wants to know of each pin
     */
    SamplingInterval(
            long periodNanos,
            BooleanSupplier eventsRun,
            BooleanSupplier eachIsWanted,
            long nowNanos) {
        this.periodNanos = periodNanos;
        this.eventsRun = eventsRun;
        this.eachIsWanted = eachIsWanted;
        restIsOver(nowNanos);
    }

    long periodNanos() {
        return periodNanos;
    }

    /** The mean time that {@link #nextNanos} gave last. */
    long meanNanos() {
        return meanNanos;
    }

    /** Whether nothing had been held for so long that the newest look was put off. */
    boolean hasRested() {
        return meanNanos > periodNanos;
    }

    /** What counts at most for what is first seen so long after the look before. */
    long mostNanos(long elapsedNanos) {
        return Math.min(elapsedNanos, Math.max(MAX_PERIODS * meanNanos, MAX_DELAY_NANOS));
    }

    /**
     * There was a look.
     *
     * @param held how many carriers were held
     * @param mountsSoFar how often a virtual thread has been mounted since the JVM began
     */
    void looked(long nowNanos, int held, long mountsSoFar) {
        if (held > 0) {
            heldAtNanos = nowNanos;
        }
        if (held > 0 || mountsSoFar != mounts) {
            ranAtNanos = nowNanos;
        }
        mounts = mountsSoFar;
    }

    /**
     * Carriers are there again: until something is known of them, the looks come as often as when
     * they began.
     */
    void restIsOver(long nowNanos) {
        heldAtNanos = nowNanos;
        ranAtNanos = nowNanos;
        meanNanos = periodNanos;
    }

    /** What the look took of a processor. */
    void took(long usedNanos) {
        lookNanos += (usedNanos - lookNanos) / LOOK_SHARE;
    }

    /**
     * The time until the next look.
     *
     * @param anySeen whether something is held that only the looks tell
     * @param longestNanos what somebody asks for who acts on it, however long a look takes
     */
    long nextNanos(long nowNanos, boolean anySeen, long longestNanos) {
        long restNanos =
                Math.min(periodNanos * rest(nowNanos), Math.max(periodNanos, MAX_REST_NANOS));
        meanNanos = Math.min(anySeen ? whileSeenNanos() : affordable(restNanos), longestNanos);
        return meanNanos / 2 + ThreadLocalRandom.current().nextLong(meanNanos);
    }

    /** The mean time from one look to the next while something is held that only the looks tell. */
    long whileSeenNanos() {
        return affordable(periodNanos / OFTENER);
    }

    private long affordable(long wantedNanos) {
        return Math.max(wantedNanos, lookNanos * LOOK_SHARE);
    }

    private int rest(long nowNanos) {
        if (nowNanos - heldAtNanos < REST_AFTER_NANOS || eachIsWanted.getAsBoolean()) {
            return 1;
        }
        if (eventsRun.getAsBoolean()) {
            return SELDOMER_WITH_EVENTS;
        }
        boolean longRest =
                nowNanos - ranAtNanos >= REST_AFTER_NANOS
                        || nowNanos - heldAtNanos >= LONG_REST_AFTER_NANOS;
        return longRest ? SELDOMER_AT_REST : SELDOMER;
    }
}
