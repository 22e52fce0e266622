package io.vtagent.usage;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.scheduler.QueueCounters;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.JdkCode;
import io.vtagent.site.SnapshotStack;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds virtual threads that compute for long without unmounting. A spell is the time for which a
 * carrier runs the same virtual thread and uses a CPU. It counts once two samples of it are at
 * least the threshold apart, so a shorter spell never counts. {@link QueueCounters} show whether
 * the thread has been mounted between the samples. For the sampler's thread.
 *
 * <p>The time of a spell is estimated. What is shorter than the interval before its first sample
 * counts as that interval, because it is hit that seldom. What is longer counts from the first
 * sample to the last that found the thread on its carrier, plus half an interval on either side,
 * which is up to 8 % too little below two intervals.
 *
 * <p>A spell that is shorter than the interval may be hit when less than the threshold is left, and
 * then does not count. So one that ends in a short window after it has begun to count stands for
 * those: it adds the interval times the age at which it began to count, divided by the window. On
 * average that is exact for spells that are longer than the threshold and the window.
 *
 * <p>Time for which the carrier used no CPU does not count, such as a safepoint pause. The time
 * since the previous sample is added to the site in the newest one.
 */
public final class BusyCarriers {
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

    /** A check is a little later than the threshold, because timers are. */
    private static final long CHECK_SLACK_NANOS = 200_000;

    /** The window is this part of the age at which a spell begins to count. */
    private static final int WINDOW_PART = 4;

    /**
     * The checks of the threshold between two samples. One may be repeated for threads that had to
     * wait for a CPU.
     */
    private static final int MAX_CHECKS = 2;

    /**
     * The time without a busy carrier after which new spells are searched for at intervals of
     * {@link #SEARCH_INTERVAL_NANOS}. Their time is estimated from fewer samples then.
     */
    private static final long IDLE_AFTER_NANOS = 10_000_000_000L;

    private static final long SEARCH_INTERVAL_NANOS = 400_000_000;

    /**
     * The longest time for which a busy carrier is not sampled again, if its thread is still
     * mounted. It is this part of the time for which it has been busy.
     */
    private static final int PART_UNSEEN = 16;

    private static final long MAX_UNSEEN_NANOS = 500_000_000;

    /** The sampling interval while nothing is held. */
    private static final long IDLE_INTERVAL_NANOS = 100_000_000;

    /** The JDK's classes that mount and unmount virtual threads. */
    private static final Set<String> SWITCHES =
            Set.of(JdkInternal.VIRTUAL_THREAD.typeName(), JdkInternal.CONTINUATION_RUN.typeName());

    /** Evidence, at one moment, of whether carriers have kept their threads. */
    public interface Moment {
        /** Returns whether {@code carrier} has kept its thread since {@code before}. */
        QueueCounters.Kept keptSince(Moment before, Thread carrier);
    }

    /** The state of the carriers. */
    interface Carriers {
        /** Returns the time, as {@link System#nanoTime} does. */
        long nanoTime();

        /** Reads what shows whether carriers have kept their threads. */
        Moment moment();

        /** Returns the virtual thread that is mounted on {@code carrier}, or null. */
        @Nullable Thread mountedOn(Thread carrier);

        /** Returns the CPU time that the carrier has used; negative if that is not known. */
        long cpuNanos(Thread carrier);

        /**
         * Returns for how long the carrier has waited for a CPU; negative if that is not known.
         * This costs much more than {@link #cpuNanos}.
         */
        long queuedNanos(Thread carrier);

        /** Returns the frames of {@code thread}; null if reading them would cost too much. */
        @Nullable List<StackTraceElement> frames(Thread thread);
    }

    /** The samples of one carrier since it was first seen to run {@code thread}. */
    private static final class Spell {
        final Thread thread;

        /** The interval before the first sample. */
        final long headNanos;

        final long firstNanos;
        long newestNanos;
        Moment newestMoment;

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
                Moment firstMoment,
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
                usedNanos +=
                        queuedNanos < 0 || baseQueuedNanos < 0 ? 0 : queuedNanos - baseQueuedNanos;
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
                    && nowNanos - newestNanos
                            < Math.min(spanNanos() / PART_UNSEEN, MAX_UNSEEN_NANOS);
        }

        /**
         * Returns whether a wait for a CPU may explain why the thread has not computed for longer.
         */
        boolean isUndecided() {
            return first == null && baseNanos == newestNanos;
        }

        long spanNanos() {
            return newestNanos - firstNanos;
        }

        boolean isLongerThan(long thresholdNanos) {
            return computedNanos >= thresholdNanos && (!doubtful || samples >= DOUBTFUL_SAMPLES);
        }

        /**
         * Returns whether the thread has waited, while it kept its carrier, for most of the time.
         */
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
         * Remembers that the spell begins to count now. One that is as long as the interval is
         * always hit in time.
         */
        void reached() {
            reachedNanos = newestNanos;
            inWindow = headNanos > spanNanos();
        }

        long windowNanos() {
            return (reachedNanos - firstNanos) / WINDOW_PART;
        }

        /**
         * Returns the estimated time of the spells that do not count because their first sample was
         * too late, if this spell has ended in the window.
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

    private final BusySites sites;
    private final Carriers carriers;
    private final long thresholdNanos;
    private final FramesOfInterest wanted;
    private final Map<Thread, Thread> running = new HashMap<>();
    private final Map<Thread, Spell> spells = new HashMap<>();
    private int checks;
    private @Nullable Moment newMoment;

    /** When a carrier was last busy; the start if none was. */
    private long busyAtNanos;

    /** When a spell that counts was last found to have ended. */
    private long endedAtNanos;

    /** The time since the last sample that searched for new spells. */
    private long skippedNanos;

    /**
     * @param thresholdNanos the time from which on a thread that computes is busy
     */
    public BusyCarriers(
            BusySites sites, Carriers carriers, long thresholdNanos, FramesOfInterest wanted) {
        this.sites = sites;
        this.carriers = carriers;
        this.thresholdNanos = thresholdNanos;
        this.wanted = wanted;
        busyAtNanos = carriers.nanoTime();
        endedAtNanos = busyAtNanos - IDLE_INTERVAL_NANOS;
    }

    /** Warms up the first sample of a spell and its end. Nothing is counted for {@code thread}. */
    public void warmUp(Thread thread) {
        begin();
        add(thread, thread);
        end(carriers.nanoTime(), 0);
        begin();
        end(carriers.nanoTime(), 0);
    }

    /** Begins a sample of all carriers. */
    public void begin() {
        running.clear();
    }

    /** Adds a carrier that runs, or is ready to run, {@code thread}. */
    public void add(Thread carrier, Thread thread) {
        running.put(carrier, thread);
    }

    /**
     * Ends the sample. Spells of carriers that were not added have ended.
     *
     * @param intervalNanos the time since the previous sample
     */
    public void end(long nowNanos, long intervalNanos) {
        checks = 0;
        long headNanos = intervalNanos + skippedNanos;
        boolean idle = nowNanos - busyAtNanos >= IDLE_AFTER_NANOS;
        boolean searches = !idle || headNanos >= SEARCH_INTERVAL_NANOS;
        skippedNanos = searches ? 0 : headNanos;
        if (spells.isEmpty() && (running.isEmpty() || !searches)) {
            return;
        }
        newMoment = null;
        sampleAgain(nowNanos, spell -> true);
        if (searches) {
            running.forEach((carrier, thread) -> begin(carrier, thread, headNanos));
        }
        setBusy(nowNanos);
    }

    private void begin(Thread carrier, Thread thread, long headNanos) {
        if (!spells.containsKey(carrier)) {
            long cpuNanos = carriers.cpuNanos(carrier);
            spells.put(
                    carrier, new Spell(thread, headNanos, carriers.nanoTime(), moment(), cpuNanos));
        }
    }

    /**
     * Samples again the threads for which that is due, some time after a sample of all carriers.
     * While nothing is held, the sampling interval is longer than most spells.
     */
    public void check(long nowNanos) {
        newMoment = null;
        running.clear();
        boolean forThreshold = false;
        for (Map.Entry<Thread, Spell> entry : spells.entrySet()) {
            if (dueNanos(entry.getValue()) <= nowNanos) {
                forThreshold |= !entry.getValue().inWindow;
                Thread mounted = carriers.mountedOn(entry.getKey());
                if (mounted != null) {
                    running.put(entry.getKey(), mounted);
                }
            }
        }
        sampleAgain(nowNanos, spell -> dueNanos(spell) <= nowNanos);
        checks += forThreshold ? 1 : 0;
        setBusy(nowNanos);
    }

    /**
     * Makes the checks that are due within {@code mostNanos}.
     *
     * @param pauseAndCheck pauses for that many nanoseconds and calls {@link #check}; returns false
     *     if it must not be called any more
     */
    public void checkWithin(long mostNanos, LongPredicate pauseAndCheck) {
        long beganNanos = carriers.nanoTime();
        boolean checked = true;
        while (checked) {
            long nowNanos = carriers.nanoTime();
            long checkNanos = nanosToCheck(nowNanos);
            checked =
                    checkNanos < mostNanos - (nowNanos - beganNanos)
                            && pauseAndCheck.test(checkNanos);
        }
    }

    /**
     * Returns the time until {@link #check} should be called; {@link Long#MAX_VALUE} if it need not
     * be.
     */
    long nanosToCheck(long nowNanos) {
        long soonestNanos = Long.MAX_VALUE;
        for (Spell spell : spells.values()) {
            long dueNanos = dueNanos(spell);
            if (dueNanos != Long.MAX_VALUE) {
                soonestNanos = Math.min(soonestNanos, dueNanos + CHECK_SLACK_NANOS - nowNanos);
            }
        }
        return Math.max(soonestNanos, 0);
    }

    /**
     * Returns the time at which {@code spell} is to be checked; {@link Long#MAX_VALUE} if it need
     * not be.
     */
    private long dueNanos(Spell spell) {
        if (spell.inWindow) {
            return spell.reachedNanos + spell.windowNanos();
        }
        boolean due = checks == 0 ? spell.first == null : spell.isUndecided();
        return due && checks < MAX_CHECKS
                ? spell.newestNanos + Math.max(thresholdNanos - spell.computedNanos, 0)
                : Long.MAX_VALUE;
    }

    /**
     * Returns whether a carrier is busy for so short that it should be sampled again soon, or was
     * busy until now. The next spell often begins soon, and half of a long interval before its
     * first sample would be too little then.
     */
    public boolean isBusyForShort() {
        for (Spell spell : spells.values()) {
            if (spell.first != null && spell.spanNanos() < PART_UNSEEN * IDLE_INTERVAL_NANOS) {
                return true;
            }
        }
        return carriers.nanoTime() - endedAtNanos < IDLE_INTERVAL_NANOS;
    }

    private void sampleAgain(long nowNanos, Predicate<Spell> wanted) {
        Iterator<Map.Entry<Thread, Spell>> all = spells.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Thread, Spell> entry = all.next();
            if (wanted.test(entry.getValue())
                    && !continues(entry.getKey(), entry.getValue(), nowNanos)) {
                all.remove();
                onEnded(entry.getValue(), nowNanos);
            }
        }
    }

    /** Returns what shows whether carriers have kept their threads, read once in a sample. */
    private Moment moment() {
        Moment known = newMoment;
        if (known == null) {
            known = carriers.moment();
            newMoment = known;
        }
        return known;
    }

    private void setBusy(long nowNanos) {
        int busy = 0;
        for (Spell spell : spells.values()) {
            busy += spell.first == null ? 0 : 1;
        }
        sites.carriers(busy);
        if (busy > 0) {
            busyAtNanos = nowNanos;
        }
    }

    /** Adds a sample to {@code spell}. Returns false if it has ended instead. */
    private boolean continues(Thread carrier, Spell spell, long nowNanos) {
        if (running.get(carrier) != spell.thread) {
            return false;
        }
        if (spell.isSampledEnough(nowNanos)) {
            spell.mountedNanos = nowNanos;
            return true;
        }
        Moment now = moment();
        QueueCounters.Kept kept = now.keptSince(spell.newestMoment, carrier);
        if (kept == QueueCounters.Kept.NO) {
            return false;
        }
        spell.newestMoment = now;
        spell.doubtful |= kept == QueueCounters.Kept.UNKNOWN;
        spell.sampledAgain(
                nowNanos, carriers.cpuNanos(carrier), () -> carriers.queuedNanos(carrier));
        if (spell.hasMostlyWaited()) {
            return false;
        }
        if (spell.first != null || spell.isLongerThan(thresholdNanos)) {
            count(spell);
        }
        return true;
    }

    private void count(Spell spell) {
        BusySite site = siteOf(spell);
        if (spell.first == null) {
            spell.reached();
            site.addSpell();
            spell.first = site;
        } else {
            spell.inWindow &= spell.newestNanos - spell.reachedNanos < spell.windowNanos();
        }
        spell.newest = site;
        site.addNanos(spell.newNanos(0));
        site.lasted(spell.computedNanos);
        spell.first.lasted(spell.computedNanos);
    }

    /** Returns where the thread is, or where it was if its stack is not read now. */
    private BusySite siteOf(Spell spell) {
        List<StackTraceElement> frames = carriers.frames(spell.thread);
        // it may have ended its spell before its stack was read
        if (frames != null && !frames.isEmpty() && !isUnmounting(frames)) {
            return sites.siteOf(SnapshotStack.computing(frames, wanted));
        }
        return spell.newest == null ? sites.siteOf(null) : spell.newest;
    }

    /** Returns whether the code outside the JDK has called what unmounts the thread. */
    private static boolean isUnmounting(List<StackTraceElement> frames) {
        return frames.stream()
                .takeWhile(JdkCode::owns)
                .anyMatch(frame -> SWITCHES.contains(frame.getClassName()));
    }

    private void onEnded(Spell spell, long nowNanos) {
        if (spell.first != null && spell.newest != null) {
            endedAtNanos = nowNanos;
            long unknownNanos = Math.min(nowNanos - spell.mountedNanos, MAX_UNSEEN_NANOS);
            long tailNanos = spell.mountedNanos - spell.newestNanos + unknownNanos / 2;
            spell.newest.addNanos(spell.newNanos(tailNanos) + spell.missedNanos(nowNanos));
            spell.first.lasted(spell.computedNanos);
        }
    }
}
