package io.vtagent.report;

import io.vtagent.record.DurationTotals;
import io.vtagent.record.InProgress;
import io.vtagent.record.PinKey;
import io.vtagent.record.PinSite;
import io.vtagent.vm.PinnedStack;
import io.vtagent.watch.Diagnosis;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a report says, at the moment it was made. All times are in nanoseconds.
 *
 * @param uptimeNanos since the agent began
 * @param totals by time, the longest first
 * @param sites by time, the longest first; with those that stand for many they add up to the totals
 * @param inProgress the pins that have not ended, which are in the totals and sites as well
 * @param forecast what would become of it where monitors do not pin
 * @param pins some of those in progress, the oldest first
 */
public record PinReport(
        Jvm jvm,
        long uptimeNanos,
        List<Total> totals,
        List<Held> sites,
        InProgress inProgress,
        Forecast forecast,
        Starved starved,
        Delayed delayed,
        Relieved relieved,
        Scheduler scheduler,
        List<Pin> pins) {

    /** A site that held carriers for less than this part of the time is nothing to act on. */
    private static final long NOTABLE_PART = 10_000;

    /**
     * Where it was measured.
     *
     * @param agent the agent's version
     * @param java the JVM's version
     * @param carriers whether virtual threads share carriers
     * @param monitorsPin whether a thread that holds a monitor cannot unmount
     * @param attached whether the agent came when the application ran already
     * @param sensors by label; the reason why one does not work, empty if it does
     */
    public record Jvm(
            String agent,
            String java,
            boolean carriers,
            boolean monitorsPin,
            boolean attached,
            Map<String, String> sensors) {

        /** Which of the two worlds this is, as a sentence. */
        public String world() {
            if (!carriers) {
                return "virtual threads have no carriers in this JVM, nothing can be pinned";
            }
            return monitorsPin
                    ? "a monitor pins a virtual thread to its carrier in this JVM"
                            + (attached
                                    ? "; attached while it ran, so of `synchronized` methods, unlike blocks, only the JVM's events tell"
                                    : "")
                    : "monitors do not pin in this JVM; native frames, class initializers and class loaders do";
        }
    }

    /**
     * How many pins, ended or in progress, and for how long they held carriers until now.
     *
     * @param inProgress those of them that have not ended
     */
    public record Figures(long count, long nanos, long longestNanos, InProgress inProgress) {
        static Figures of(DurationTotals ended) {
            return new Figures(ended.count(), ended.nanos(), ended.longestNanos(), InProgress.NONE);
        }

        static Figures of(InProgress pins) {
            return new Figures(pins.count(), pins.nanos(), pins.longestNanos(), pins);
        }

        /** Of two, at most one has pins in progress. */
        Figures and(Figures other) {
            return new Figures(
                    count + other.count,
                    nanos + other.nanos,
                    Math.max(longestNanos, other.longestNanos),
                    inProgress.count() == 0 ? other.inProgress : inProgress);
        }
    }

    /** The pins of one key. */
    public record Total(PinKey key, Figures figures) {}

    /**
     * The pins of one site.
     *
     * @param stack of the first pin; null for a site that stands for many
     * @param advice what to do about it
     * @param onUpgrade what would become of it where monitors do not pin
     */
    public record Held(
            PinSite site, Figures figures, @Nullable PinnedStack stack, String advice, Forecast.OfSite onUpgrade) {}

    /**
     * The scheduler of virtual threads.
     *
     * @param parallelism carriers that it aims to keep running; 0 where it is not known
     * @param size carriers that exist
     * @param max carriers that may exist
     * @param held carriers that are held, whatever by
     * @param queued virtual threads that are ready to run and have no carrier
     */
    public record Scheduler(long parallelism, long size, long max, long held, long queued) {
        /** There is none, or not the known one. */
        public static final Scheduler UNKNOWN = new Scheduler(0, 0, 0, 0, 0);
    }

    /**
     * A pin in progress.
     *
     * @param thread name and id of the virtual thread
     * @param carrier the name of the thread that it holds
     */
    public record Pin(String thread, String carrier, PinKey key, PinSite site, long ageNanos) {}

    /**
     * Periods in which every carrier was held while virtual threads waited for one.
     *
     * @param nanos for how long all were held in them
     * @param diagnosis of the newest one that lasted long enough
     * @param now whether that is in progress
     * @param past those that lasted long enough and are over, the newest first; not all of many
     */
    public record Starved(
            long periods, long nanos, @Nullable Diagnosis diagnosis, boolean now, List<Past> past) {
        /** None. */
        public static final Starved NEVER = new Starved(0, 0, null, false, List.of());
    }

    /**
     * A period in which every carrier was held.
     *
     * @param beganNanos since the agent began
     */
    public record Past(long beganNanos, long lastedNanos, Diagnosis diagnosis) {}

    /**
     * How late virtual threads started to run, as a probe found it.
     *
     * @param count of those that were started and have run
     * @param longestNanos of them
     * @param currentNanos how long one has been waiting that has not run yet, 0 if there is none
     */
    public record Delayed(boolean on, long count, long nanos, long longestNanos, long currentNanos) {
        /** There is no probe. */
        public static final Delayed OFF = new Delayed(false, 0, 0, 0, 0);

        /** @param over those that have run */
        public static Delayed of(DurationTotals over, long currentNanos) {
            return new Delayed(true, over.count(), over.nanos(), over.longestNanos(), currentNanos);
        }
    }

    /**
     * What relief did.
     *
     * @param carriers that were added
     * @param pins that were made up for
     * @param nanos carrier time that was made up for
     */
    public record Relieved(boolean on, long carriers, long pins, long nanos) {
        /** Relief is off. */
        public static final Relieved OFF = new Relieved(false, 0, 0, 0);
    }

    /** The same report later, if nothing has happened since. */
    public PinReport later(long newUptimeNanos) {
        return new PinReport(
                jvm, newUptimeNanos, totals, sites, inProgress, forecast, starved, delayed, relieved, scheduler, pins);
    }

    /** The sites that somebody would act on. */
    List<Held> sitesOfNote() {
        return sites.stream().filter(site -> !isNegligible(site)).toList();
    }

    /** The sites that nobody would act on, as a sentence, which is empty if there are none: on an idle service the JVM's own moments. */
    String restInWords() {
        List<Held> rest = sites.stream().filter(this::isNegligible).toList();
        if (rest.isEmpty()) {
            return "";
        }
        long count = rest.stream().mapToLong(site -> site.figures().count()).sum();
        long nanos = rest.stream().mapToLong(site -> site.figures().nanos()).sum();
        return (rest.size() == 1 ? "1 more site held carriers" : rest.size() + " more sites held carriers")
                + " for less than a ten-thousandth of the time each: " + Quantity.pins(count) + ", "
                + Quantity.duration(nanos);
    }

    private boolean isNegligible(Held site) {
        Figures figures = site.figures();
        return figures.inProgress().count() == 0 && figures.nanos() < uptimeNanos / NOTABLE_PART;
    }

    /** The part of the scheduler's time that was lost to held carriers, from 0 on; with relief, or many pins at once, above 1. */
    public double heldShare() {
        double all = (double) scheduler.parallelism() * uptimeNanos;
        return all == 0 ? 0 : nanos() / all;
    }

    public long nanos() {
        long nanos = 0;
        for (Total total : totals) {
            nanos += total.figures().nanos();
        }
        return nanos;
    }

    public long count() {
        long count = 0;
        for (Total total : totals) {
            count += total.figures().count();
        }
        return count;
    }
}
