package io.vtagent.usage;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a carrier runs the same virtual thread and uses a CPU, as the samples show it.
 * For the sampler's thread.
 *
 * <p>What is shorter than the interval before its first sample counts as that interval, because it
 * is hit that seldom. What is longer counts from the first sample to the last that found the thread
 * on its carrier, plus half an interval on either side, which is up to 8 % too little below two
 * intervals. Time for which the carrier used no CPU does not count, such as a safepoint pause.
 *
 * <p>A spell that is shorter than the interval may be hit when less than the threshold is left, and
 * then does not count. So one that ends in a short window after it has begun to count stands for
 * those: it adds the interval times the age at which it began to count, divided by the window. On
 * average that is exact for spells that are longer than the threshold and the window.
 */
final class Spell {
    /**
     * The samples that a spell needs if it is not certain that the thread was mounted all the time.
     */
    static final int DOUBTFUL_SAMPLES = 4;

    /**
     * A thread that has used a CPU, or waited for one, for this many tenths of the time is taken to
     * have computed all the time. The kernel adds a wait for a CPU only when it is over.
     */
    private static final int TENTHS_OF_ALL = 9;

    /** A thread that has computed for less than this part of the time does not compute. */
    private static final int MIN_PART = 4;

    /** A thread can wait that long for a CPU, so that it is not known yet whether it computes. */
    private static final long MIN_WAIT_NANOS = 100_000_000;

    /** The window is this part of the age at which a spell begins to count. */
    private static final int WINDOW_PART = 4;

    /**
     * The longest time for which a busy carrier is not sampled again, if its thread is still
     * mounted. It is this part of the time for which it has been busy.
     */
    static final int PART_UNSEEN = 16;

    static final long MAX_UNSEEN_NANOS = 500_000_000;

    final Thread thread;

    /** The interval before the first sample. */
    final long headNanos;

    final long firstNanos;
    long newestNanos;
    BusyCarriers.Moment newestMoment;

    /** When the thread was last found on its carrier; the newest sample or later. */
    long mountedNanos;

    /** The part of the time from the first sample to the newest that the thread computed. */
    long computedNanos;

    // the sample from which on the time is compared with what the carrier used
    long baseNanos;
    long baseCpuNanos;
    long baseComputedNanos;

    /** Negative as long as the carrier ran all the time, or if that is not known. */
    long baseQueuedNanos = -1;

    int samples = 1;

    /** The checks of the threshold since the newest sample of all carriers. */
    int checks;

    boolean doubtful;
    long countedNanos;

    /** When the spell began to count; meaningless until then. */
    long reachedNanos;

    /** Whether the spell may still end in the window. */
    boolean inWindow;

    /** The site of the first sample; null until the spell counts. */
    @Nullable BusySite first;

    @Nullable BusySite newest;

    Spell(
            Thread thread,
            long headNanos,
            long firstNanos,
            BusyCarriers.Moment firstMoment,
            long firstCpuNanos) {
        this.thread = thread;
        this.headNanos = headNanos;
        this.firstNanos = firstNanos;
        newestNanos = firstNanos;
        mountedNanos = firstNanos;
        newestMoment = firstMoment;
        baseNanos = firstNanos;
        baseCpuNanos = firstCpuNanos;
    }

    /**
     * Adds a sample of the same thread.
     *
     * @param queued returns for how long the carrier has waited for a CPU
     */
    void sampledAgain(long nowNanos, long cpuNanos, LongSupplier queued) {
        newestNanos = nowNanos;
        mountedNanos = nowNanos;
        samples++;
        long elapsedNanos = nowNanos - baseNanos;
        boolean cpuKnown = cpuNanos >= 0 && baseCpuNanos >= 0;
        long usedNanos = cpuKnown ? cpuNanos - baseCpuNanos : elapsedNanos;
        long queuedNanos = -1;
        if (!isAll(usedNanos, elapsedNanos)) {
            queuedNanos = queued.getAsLong();
            usedNanos += queuedNanos < 0 || baseQueuedNanos < 0 ? 0 : queuedNanos - baseQueuedNanos;
        }
        long newNanos = isAll(usedNanos, elapsedNanos) ? elapsedNanos : Math.max(usedNanos, 0);
        computedNanos = Math.max(baseComputedNanos + newNanos, computedNanos);
        if (queuedNanos >= 0 && baseQueuedNanos < 0) {
            baseNanos = nowNanos;
            baseCpuNanos = cpuNanos;
            baseComputedNanos = computedNanos;
            baseQueuedNanos = queuedNanos;
        }
    }

    private static boolean isAll(long usedNanos, long elapsedNanos) {
        return usedNanos >= elapsedNanos / 10 * TENTHS_OF_ALL;
    }

    /** Returns whether the spell is so long that another sample would add little. */
    boolean isSampledEnough(long nowNanos) {
        return first != null
                && !inWindow
                && nowNanos - newestNanos < Math.min(spanNanos() / PART_UNSEEN, MAX_UNSEEN_NANOS);
    }

    /** Returns whether a wait for a CPU may explain why the thread has not computed for longer. */
    boolean isUndecided() {
        return first == null && baseNanos == newestNanos;
    }

    long spanNanos() {
        return newestNanos - firstNanos;
    }

    boolean isLongerThan(long thresholdNanos) {
        return computedNanos >= thresholdNanos && (!doubtful || samples >= DOUBTFUL_SAMPLES);
    }

    /** Returns whether the thread has waited, while it kept its carrier, for most of the time. */
    boolean hasMostlyWaited() {
        return spanNanos() >= MIN_WAIT_NANOS && computedNanos < spanNanos() / MIN_PART;
    }

    /**
     * Returns the estimated time of this spell that has not been counted yet.
     *
     * @param tailNanos the time after the newest sample, if the spell has ended
     */
    long newNanos(long tailNanos) {
        long seenNanos = spanNanos() + tailNanos;
        double nanos = seenNanos < headNanos ? headNanos : headNanos / 2.0 + seenNanos;
        long more = Math.max((long) (part() * nanos) - countedNanos, 0);
        countedNanos += more;
        return more;
    }

    /**
     * Remembers that the spell begins to count now. Without a window if the interval is shorter
     * than the age, because the correction would be too much then.
     */
    void reached() {
        reachedNanos = newestNanos;
        inWindow = headNanos > spanNanos();
    }

    long windowNanos() {
        return (reachedNanos - firstNanos) / WINDOW_PART;
    }

    /**
     * Returns the estimated time of the spells that do not count because their first sample was too
     * late, if this spell has ended in the window.
     */
    long missedNanos(long endedNanos) {
        if (!inWindow) {
            return 0;
        }
        double window = Math.max(endedNanos - reachedNanos, windowNanos());
        return (long) (part() * headNanos * (reachedNanos - firstNanos) / window);
    }

    private double part() {
        return spanNanos() == 0 ? 1 : (double) computedNanos / spanNanos();
    }
}
