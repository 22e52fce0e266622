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
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds virtual threads that compute for long without unmounting. A spell is the time for which a
 * carrier runs the same virtual thread and uses a CPU. It counts once two samples of it are at
 * least the threshold apart, so a shorter spell never counts. {@link QueueCounters} show whether
 * the thread has been mounted between the samples. {@link Spell} estimates how long it lasted. The
 * time since the previous sample is added to the site in the newest one. For the sampler's thread.
 */
public final class BusyCarriers {
    /** A check is a little later than the threshold, because timers are. */
    private static final long CHECK_SLACK_NANOS = 200_000;

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

    private final BusySites sites;
    private final Carriers carriers;
    private final long thresholdNanos;
    private final FramesOfInterest wanted;
    private final Map<Thread, Thread> running = new HashMap<>();
    private final Map<Thread, Spell> spells = new HashMap<>();
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
        long headNanos = intervalNanos + skippedNanos;
        boolean idle = nowNanos - busyAtNanos >= IDLE_AFTER_NANOS;
        boolean searches = !idle || headNanos >= SEARCH_INTERVAL_NANOS;
        skippedNanos = searches ? 0 : headNanos;
        if (spells.isEmpty() && (running.isEmpty() || !searches)) {
            return;
        }
        newMoment = null;
        sampleAgain(nowNanos, spell -> true, running::get);
        spells.values().forEach(spell -> spell.checks = 0);
        if (searches) {
            running.forEach((carrier, thread) -> beginSpell(carrier, thread, headNanos));
        }
        setBusy(nowNanos);
    }

    private void beginSpell(Thread carrier, Thread thread, long headNanos) {
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
        sampleAgain(nowNanos, spell -> dueNanos(spell) <= nowNanos, carriers::mountedOn);
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
            soonestNanos = Math.min(soonestNanos, dueNanos(spell));
        }
        return soonestNanos == Long.MAX_VALUE
                ? soonestNanos
                : Math.max(soonestNanos + CHECK_SLACK_NANOS - nowNanos, 0);
    }

    /**
     * Returns the time at which {@code spell} is to be checked; {@link Long#MAX_VALUE} if it need
     * not be.
     */
    private long dueNanos(Spell spell) {
        if (spell.inWindow) {
            return spell.reachedNanos + spell.windowNanos();
        }
        boolean due = spell.checks == 0 ? spell.first == null : spell.isUndecided();
        return due && spell.checks < MAX_CHECKS && spell.computedNanos < thresholdNanos
                ? spell.newestNanos + thresholdNanos - spell.computedNanos
                : Long.MAX_VALUE;
    }

    /**
     * Returns whether a carrier is busy for so short that it should be sampled again soon, or was
     * busy until now. The next spell often begins soon, and half of a long interval before its
     * first sample would be too little then.
     */
    public boolean isBusyForShort() {
        for (Spell spell : spells.values()) {
            if (spell.first != null
                    && spell.spanNanos() < Spell.PART_UNSEEN * IDLE_INTERVAL_NANOS) {
                return true;
            }
        }
        return carriers.nanoTime() - endedAtNanos < IDLE_INTERVAL_NANOS;
    }

    /**
     * Samples again the threads whose spell is {@code due}.
     *
     * @param mounted returns the thread on a carrier
     */
    private void sampleAgain(
            long nowNanos, Predicate<Spell> due, Function<Thread, @Nullable Thread> mounted) {
        Iterator<Map.Entry<Thread, Spell>> all = spells.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Thread, Spell> entry = all.next();
            Thread carrier = entry.getKey();
            Spell spell = entry.getValue();
            if (due.test(spell)
                    && (mounted.apply(carrier) != spell.thread
                            || !continues(carrier, spell, nowNanos))) {
                all.remove();
                onEnded(spell, nowNanos);
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
        spell.checks++;
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
            long unknownNanos = Math.min(nowNanos - spell.mountedNanos, Spell.MAX_UNSEEN_NANOS);
            long tailNanos = spell.mountedNanos - spell.newestNanos + unknownNanos / 2;
            spell.newest.addNanos(spell.newNanos(tailNanos) + spell.missedNanos(nowNanos));
            spell.first.lasted(spell.computedNanos);
        }
    }
}
