package io.vtagent.sampler;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The sampling interval. Its mean is what the user asks for, less while there is a sampled pin,
 * more while nothing is held, and never so little that sampling takes more than a twentieth of one
 * CPU. It is random, so that no periodic behaviour of the application is missed. For one thread.
 */
final class SamplingInterval {
    /**
     * The divisor of the CPU time that samples take: at most 1/20 of one CPU, however many carriers
     * there are.
     */
    static final int CPU_SHARE = 20;

    /** The divisor of the CPU time that samples take while carriers are busy and none is held. */
    static final int BUSY_CPU_SHARE = 500;

    /**
     * The factor by which samples are more frequent while there is a sampled pin, because that
     * improves the estimate of its duration.
     */
    private static final int PINNED_DIVISOR = 4;

    /**
     * The time without a held carrier after which the interval grows. It grows more if no virtual
     * thread has run either.
     */
    private static final long IDLE_AFTER_NANOS = 1_000_000_000;

    /**
     * The time without a held carrier after which the interval is as long as if no virtual thread
     * had run.
     */
    private static final long LONG_IDLE_AFTER_NANOS = 10_000_000_000L;

    private static final int IDLE_FACTOR = 4;

    /**
     * Keeps the interval below the tolerance of {@link JfrReconciler}, which is 30 ms, with the
     * default of {@code sample-interval}.
     */
    private static final int IDLE_FACTOR_WITH_EVENTS = 2;

    private static final int LONG_IDLE_FACTOR = 20;
    private static final long MAX_IDLE_INTERVAL_NANOS = 100_000_000;

    /**
     * The limits on the interval that a sample stands for: this number of mean intervals, or {@link
     * #MAX_DELAY_NANOS} if that is more. If a sample is later, the process was stopped.
     */
    private static final int MAX_INTERVALS = 4;

    private static final long MAX_DELAY_NANOS = 200_000_000;

    private final long intervalNanos;
    private final BooleanSupplier eventsArrive;
    private final BooleanSupplier everyPinIsWanted;
    private long heldAtNanos;
    private long ranAtNanos;
    private long mounts;
    private long sampleCpuNanos;
    private long meanNanos;

    /**
     * @param intervalNanos the interval that the user asks for
     * @param eventsArrive returns whether JFR events are matched with samples, which requires the
     *     time at which a sampled pin began
     * @param everyPinIsWanted returns whether every single pin is wanted
     */
    SamplingInterval(
            long intervalNanos,
            BooleanSupplier eventsArrive,
            BooleanSupplier everyPinIsWanted,
            long nowNanos) {
        this.intervalNanos = intervalNanos;
        this.eventsArrive = eventsArrive;
        this.everyPinIsWanted = everyPinIsWanted;
        endIdle(nowNanos);
    }

    long intervalNanos() {
        return intervalNanos;
    }

    /** Returns the mean of the interval that {@link #nextNanos} returned last. */
    long meanNanos() {
        return meanNanos;
    }

    /**
     * Returns whether the newest sample was later than the user asks for, because the carriers were
     * idle or because samples take much CPU time.
     */
    boolean wasIdle() {
        return meanNanos > intervalNanos;
    }

    /**
     * Returns the part of {@code elapsedNanos}, the time since the previous sample, that a new pin
     * may count for.
     */
    long cappedNanos(long elapsedNanos) {
        return Math.min(elapsedNanos, Math.max(MAX_INTERVALS * meanNanos, MAX_DELAY_NANOS));
    }

    /**
     * Called after each sample.
     *
     * @param held the number of held carriers
     * @param mountsSoFar the number of mounts of virtual threads since the JVM started
     */
    void onSampled(long nowNanos, int held, long mountsSoFar) {
        if (held > 0) {
            heldAtNanos = nowNanos;
        }
        if (held > 0 || mountsSoFar != mounts) {
            ranAtNanos = nowNanos;
        }
        mounts = mountsSoFar;
    }

    /**
     * Called when there are carriers again. The interval is the one at the start, until more is
     * known about them.
     */
    void endIdle(long nowNanos) {
        heldAtNanos = nowNanos;
        ranAtNanos = nowNanos;
        meanNanos = intervalNanos;
    }

    /** Adds the CPU time of a sample. */
    void addCpuNanos(long usedNanos) {
        sampleCpuNanos += (usedNanos - sampleCpuNanos) / CPU_SHARE;
    }

    /**
     * Returns the time until the next sample.
     *
     * @param anySampled whether there is a sampled pin
     * @param maxNanos the limit that a listener requests, which applies whatever a sample costs
     */
    long nextNanos(long nowNanos, boolean anySampled, long maxNanos) {
        long idleNanos =
                Math.min(
                        intervalNanos * idleFactor(nowNanos),
                        Math.max(intervalNanos, MAX_IDLE_INTERVAL_NANOS));
        meanNanos = Math.min(anySampled ? pinnedIntervalNanos() : affordable(idleNanos), maxNanos);
        return meanNanos / 2 + ThreadLocalRandom.current().nextLong(meanNanos);
    }

    /** Returns the mean interval while there is a sampled pin. */
    long pinnedIntervalNanos() {
        return affordable(intervalNanos / PINNED_DIVISOR);
    }

    /** Returns the longest mean interval while a carrier is busy. */
    long busyNanos() {
        return Math.max(intervalNanos, sampleCpuNanos * BUSY_CPU_SHARE);
    }

    private long affordable(long wantedNanos) {
        return Math.max(wantedNanos, sampleCpuNanos * CPU_SHARE);
    }

    private int idleFactor(long nowNanos) {
        if (nowNanos - heldAtNanos < IDLE_AFTER_NANOS || everyPinIsWanted.getAsBoolean()) {
            return 1;
        }
        if (eventsArrive.getAsBoolean()) {
            return IDLE_FACTOR_WITH_EVENTS;
        }
        boolean longIdle =
                nowNanos - ranAtNanos >= IDLE_AFTER_NANOS
                        || nowNanos - heldAtNanos >= LONG_IDLE_AFTER_NANOS;
        return longIdle ? LONG_IDLE_FACTOR : IDLE_FACTOR;
    }
}
