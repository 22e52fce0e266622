package io.vtagent.report;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Samples;
import io.vtagent.site.PinnedStack;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a report at the moment it was made. All times are in nanoseconds.
 *
 * @param uptimeNanos since the agent started
 * @param totals by time, the longest first
 * @param sites by the time that others waited, then by time, the longest first, and those of the
 *     JVM itself last; including those that stand for many, and {@code rare}, they add up to the
 *     totals
 * @param rare the places that were sampled too rarely to call them sites
 * @param inProgress the pins that have not ended, which are also in the totals and sites
 * @param carriers the use of the carriers' time
 * @param forecast the forecast of the held time where monitors do not pin
 * @param pins some of those in progress, the oldest first
 * @param busy the code that computed on carriers for long
 * @param answer why virtual threads are slow; null if that was not asked
 */
public record PinReport(
        Jvm jvm,
        long uptimeNanos,
        List<Total> totals,
        List<Held> sites,
        Rare rare,
        ActivePinTotals inProgress,
        CarrierTime carriers,
        Forecast forecast,
        Starved starved,
        Delayed delayed,
        Relieved relieved,
        Scheduler scheduler,
        List<Pin> pins,
        Busy busy,
        @Nullable Answer answer) {

    /** If rare places have held more of the carriers' time, carriers were held. */
    private static final double MAX_RARE_SHARE = 0.01;

    /** A site that held carriers for less than the uptime divided by this is negligible. */
    private static final long NOTABLE_PART = 10_000;

    /** Pins without a stack are a row if they are more than this part of the held time. */
    private static final long SMALL_REST_PART = 100;

    /**
     * The JVM in which it was measured.
     *
     * @param agent the agent's version
     * @param java the JVM's version
     * @param carriers whether virtual threads share carriers
     * @param monitorsPin whether a thread that holds a monitor cannot unmount
     * @param attached whether the agent was attached to a running application
     * @param sensors by label; the reason why a sensor does not work, empty if it does
     */
    public record Jvm(
            String agent,
            String java,
            boolean carriers,
            boolean monitorsPin,
            boolean attached,
            Map<String, String> sensors) {

        /** Returns the pinning mode as a clause. */
        public String pinningMode() {
            if (!carriers) {
                return "virtual threads have no carriers in this JVM, nothing can be pinned";
            }
            return monitorsPin
                    ? "a monitor pins a virtual thread to its carrier in this JVM"
                            + (attached
                                    ? "; attached at run time, so waits for `synchronized` methods"
                                            + " come from JFR events only"
                                    : "")
                    : "monitors do not pin in this JVM; native frames, class initializers and class"
                            + " loaders do";
        }
    }

    /**
     * The number of pins, ended or in progress, and how long they have held carriers until now.
     *
     * @param longestNanos of an estimated duration, the part that is certain
     * @param inProgress those of them that have not ended
     * @param samples the samples of those of them that were sampled
     * @param durations those of them that have ended, by duration; none if these are the figures of
     *     a key
     */
    public record Figures(
            long count,
            long nanos,
            long longestNanos,
            ActivePinTotals inProgress,
            Samples samples,
            DurationCounts durations) {
        /** Creates figures that rest on no sample, without the distribution of the durations. */
        public Figures(long count, long nanos, long longestNanos, ActivePinTotals inProgress) {
            this(count, nanos, longestNanos, inProgress, Samples.NONE, DurationCounts.NONE);
        }

        static Figures of(DurationTotals ended, Samples samples, DurationCounts durations) {
            return new Figures(
                    ended.count(),
                    ended.nanos(),
                    ended.longestNanos(),
                    ActivePinTotals.NONE,
                    samples,
                    durations);
        }

        static Figures of(ActivePinTotals pins) {
            return new Figures(
                    pins.count(),
                    pins.nanos(),
                    pins.longestNanos(),
                    pins,
                    pins.samples(),
                    DurationCounts.NONE);
        }

        /** Returns whether a part of them is estimated from samples. */
        public boolean isEstimated() {
            return samples.pins() > 0;
        }

        /** Returns whether they only rest on too few samples. */
        boolean isRare() {
            return count <= samples.pins() && samples.areTooFew();
        }

        /** Returns the sum of two figures, of which at most one has pins in progress. */
        Figures and(Figures other) {
            return new Figures(
                    count + other.count,
                    nanos + other.nanos,
                    Math.max(longestNanos, other.longestNanos),
                    inProgress.count() == 0 ? other.inProgress : inProgress,
                    samples.and(other.samples),
                    durations.plus(other.durations));
        }
    }

    /** The pins of one key. */
    public record Total(PinKey key, Figures figures) {}

    /**
     * The pins of one site.
     *
     * @param stack of the first pin; null for a site that stands for many
     * @param waitedNanos how long virtual threads were queued because of its pins, summed over the
     *     threads
     * @param advice what to do about it
     * @param onUpgrade the forecast for it where monitors do not pin
     */
    public record Held(
            PinSite site,
            Figures figures,
            long waitedNanos,
            @Nullable PinnedStack stack,
            String advice,
            Forecast.OfSite onUpgrade) {
        /**
         * Those of kind {@code jvm} last, because they cannot be fixed; then by the time that
         * others waited, then by held time, the longest first.
         */
        static final Comparator<Held> ORDER =
                Comparator.<Held, Boolean>comparing(site -> site.site.kind() == PinKind.JVM)
                        .thenComparingLong(site -> -site.waitedNanos)
                        .thenComparingLong(site -> -site.figures.nanos());
    }

    /**
     * The use of the carriers' time. None of the figures ever decreases.
     *
     * @param heldNanos held
     * @param runningNanos on a CPU
     * @param runnableNanos in the run queue; 0 where the system does not report it, and then part
     *     of {@code runningNanos}
     * @param idleNanos the rest of the time for which carriers have existed
     * @param lostNanos the time of carriers that the scheduler lacked because of held ones
     * @param waitedHeldNanos how long virtual threads were queued because of lost carriers, summed
     *     over the threads
     * @param waitedBusyNanos the same because of carriers that ran other threads
     * @param throttledNanos how long a CPU quota stopped the process, summed over the CPUs
     * @param pausedNanos how long the JVM paused all threads, for example to collect garbage
     */
    public record CarrierTime(
            long heldNanos,
            long runningNanos,
            long runnableNanos,
            long idleNanos,
            long lostNanos,
            long waitedHeldNanos,
            long waitedBusyNanos,
            long throttledNanos,
            long pausedNanos) {
        /** No carrier has existed, or the scheduler is not the known one. */
        public static final CarrierTime NONE = new CarrierTime(0, 0, 0, 0, 0, 0, 0, 0, 0);

        /** Returns the difference to an earlier moment. */
        public CarrierTime since(CarrierTime earlier) {
            return new CarrierTime(
                    Math.max(heldNanos - earlier.heldNanos, 0),
                    Math.max(runningNanos - earlier.runningNanos, 0),
                    Math.max(runnableNanos - earlier.runnableNanos, 0),
                    Math.max(idleNanos - earlier.idleNanos, 0),
                    Math.max(lostNanos - earlier.lostNanos, 0),
                    Math.max(waitedHeldNanos - earlier.waitedHeldNanos, 0),
                    Math.max(waitedBusyNanos - earlier.waitedBusyNanos, 0),
                    Math.max(throttledNanos - earlier.throttledNanos, 0),
                    Math.max(pausedNanos - earlier.pausedNanos, 0));
        }
    }

    /**
     * Places that were sampled too rarely to call them sites.
     *
     * @param count the pins
     * @param nanos the time that these pins may have held carriers, at most about that
     */
    public record Rare(int places, long count, long nanos) {
        /** There is no such place. */
        public static final Rare NONE = new Rare(0, 0, 0);

        Rare and(Figures figures) {
            return new Rare(places + 1, count + figures.count(), nanos + figures.nanos());
        }
    }

    /**
     * The scheduler of virtual threads.
     *
     * @param parallelism carriers that it aims to keep running; 0 if that is not known
     * @param size carriers that exist
     * @param max carriers that may exist
     * @param held carriers that are held, for whatever reason
     * @param queued virtual threads that are ready to run and have no carrier
     * @param threads virtual threads that are alive; {@link #UNKNOWN_THREADS} if that is not known
     */
    public record Scheduler(
            long parallelism, long size, long max, long held, long queued, long threads) {
        /** The number of threads in a JVM whose JDK does not list all of them. */
        public static final long UNKNOWN_THREADS = -1;

        /** There is no scheduler, or it is not the known one. */
        public static final Scheduler UNKNOWN = new Scheduler(0, 0, 0, 0, 0, UNKNOWN_THREADS);

        /** Returns a clause on why the number of threads is not known; empty if it is. */
        String threadsInWords() {
            return parallelism == 0 || threads != UNKNOWN_THREADS
                    ? ""
                    : "the number of virtual threads is not known, because the JVM does not list"
                            + " them all (-Djdk.trackAllThreads=false)";
        }
    }

    /**
     * A pin in progress.
     *
     * @param thread the name and id of the virtual thread
     * @param carrier the name of the carrier that it holds
     */
    public record Pin(String thread, String carrier, PinKey key, PinSite site, long ageNanos) {}

    /**
     * The periods in which every carrier was held while virtual threads waited for one.
     *
     * @param nanos how long all carriers were held in them
     * @param diagnosis of the newest period that lasted long enough
     * @param now whether that period is in progress
     * @param past the periods that lasted long enough and are over, the newest first; only the
     *     newest if there are many
     * @param deadlock the diagnosis of a period that is over, whose deadlock is not: its threads
     *     still hold carriers; not in JSON
     */
    public record Starved(
            long periods,
            long nanos,
            @Nullable Diagnosis diagnosis,
            boolean now,
            List<Past> past,
            @Nullable Diagnosis deadlock) {
        /** There was no such period. */
        public static final Starved NEVER = new Starved(0, 0, null, false, List.of());

        /** Creates periods that have left no deadlock. */
        public Starved(
                long periods,
                long nanos,
                @Nullable Diagnosis diagnosis,
                boolean now,
                List<Past> past) {
            this(periods, nanos, diagnosis, now, past, null);
        }

        /**
         * Returns the same periods with the newest deadlock that remains.
         *
         * @param uptimeNanos since the agent started
         */
        Starved with(List<Pin> pins, long uptimeNanos) {
            for (Past period : past) {
                long sinceNanos = uptimeNanos - period.beganNanos() - period.lastedNanos();
                if (period.diagnosis().deadlock().stream()
                        .anyMatch(link -> isPinned(link, pins, sinceNanos))) {
                    return new Starved(periods, nanos, diagnosis, now, past, period.diagnosis());
                }
            }
            return this;
        }

        private static boolean isPinned(Diagnosis.Link link, List<Pin> pins, long sinceNanos) {
            return pins.stream()
                    .anyMatch(
                            pin ->
                                    pin.ageNanos() >= sinceNanos
                                            && idOf(pin.thread()).equals(idOf(link.thread())));
        }

        /** Returns the id at the end of the label of a thread. */
        private static String idOf(String thread) {
            return thread.substring(thread.lastIndexOf('#') + 1);
        }
    }

    /**
     * A period in which every carrier was held.
     *
     * @param beganNanos since the agent started
     */
    public record Past(long beganNanos, long lastedNanos, Diagnosis diagnosis) {}

    /**
     * The delay with which virtual threads started to run, as a probe measured it.
     *
     * @param count the threads that were started and have run
     * @param longestNanos the longest delay of those
     * @param currentNanos how long a thread that has not run yet has been waiting; 0 if there is
     *     none
     */
    public record Delayed(
            boolean on, long count, long nanos, long longestNanos, long currentNanos) {
        /** There is no probe. */
        public static final Delayed OFF = new Delayed(false, 0, 0, 0, 0);

        /**
         * @param over the delays of the threads that have run
         */
        public static Delayed of(DurationTotals over, long currentNanos) {
            return new Delayed(true, over.count(), over.nanos(), over.longestNanos(), currentNanos);
        }
    }

    /**
     * The effect of relief.
     *
     * @param carriers that were added
     * @param pins that were compensated
     * @param nanos the carrier time that was compensated
     */
    public record Relieved(boolean on, long carriers, long pins, long nanos) {
        /** Relief is off. */
        public static final Relieved OFF = new Relieved(false, 0, 0, 0);
    }

    /**
     * The code that computed on carriers for long without unmounting.
     *
     * @param on whether that was measured
     * @param carriers that are busy now
     * @param sites by time, the longest first; including those that stand for many
     */
    public record Busy(boolean on, int carriers, List<BusyPlace> sites) {
        /** It was not measured. */
        public static final Busy OFF = new Busy(false, 0, List.of());

        public long nanos() {
            return sites.stream().mapToLong(BusyPlace::nanos).sum();
        }
    }

    /**
     * One place that computed.
     *
     * @param site the innermost frame that is not the JDK's, as {@code class.method:line}
     * @param count the spells of computing that were first sampled here
     * @param nanos the estimated time for which carriers were busy here
     * @param longestNanos the longest spell that was sampled here, as far as it is certain
     * @param stack the frames of the first sample, the innermost first; empty if there are none
     */
    public record BusyPlace(
            String site,
            String caller,
            long count,
            long nanos,
            long longestNanos,
            List<String> stack) {
        static final int MIN_SPELLS = 3;
        private static final long LONG_NANOS = 100_000_000;

        /**
         * Returns whether too few spells were sampled for an estimate of their time. A single short
         * one counts for the many that no sample hits.
         */
        public boolean isRare() {
            return count < MIN_SPELLS && longestNanos < LONG_NANOS;
        }
    }

    /** Creates a report without busy carriers and answer. */
    public PinReport(
            Jvm jvm,
            long uptimeNanos,
            List<Total> totals,
            List<Held> sites,
            Rare rare,
            ActivePinTotals inProgress,
            CarrierTime carriers,
            Forecast forecast,
            Starved starved,
            Delayed delayed,
            Relieved relieved,
            Scheduler scheduler,
            List<Pin> pins) {
        this(
                jvm,
                uptimeNanos,
                totals,
                sites,
                rare,
                inProgress,
                carriers,
                forecast,
                starved,
                delayed,
                relieved,
                scheduler,
                pins,
                Busy.OFF,
                null);
    }

    /** Returns the same report with a later uptime, if nothing has happened since. */
    public PinReport later(long newUptimeNanos) {
        return with(newUptimeNanos, carriers, busy, answer);
    }

    /** Returns the same report with {@code newCarriers}. */
    public PinReport with(CarrierTime newCarriers) {
        return with(uptimeNanos, newCarriers, busy, answer);
    }

    /** Returns the same report with {@code newBusy}. */
    public PinReport with(Busy newBusy) {
        return with(uptimeNanos, carriers, newBusy, answer);
    }

    /** Returns the same report with {@code newAnswer}. */
    public PinReport with(Answer newAnswer) {
        return with(uptimeNanos, carriers, busy, newAnswer);
    }

    private PinReport with(
            long newUptimeNanos,
            CarrierTime newCarriers,
            Busy newBusy,
            @Nullable Answer newAnswer) {
        return new PinReport(
                jvm,
                newUptimeNanos,
                totals,
                sites,
                rare,
                inProgress,
                newCarriers,
                forecast,
                starved,
                delayed,
                relieved,
                scheduler,
                pins,
                newBusy,
                newAnswer);
    }

    /** Returns whether nothing is known to have held a carrier for more than moments. */
    public boolean isNothingHeld() {
        double carrierNanos = (double) Math.max(scheduler.parallelism(), 1) * uptimeNanos;
        return sites.isEmpty()
                && starved.periods() == 0
                && rare.nanos() <= MAX_RARE_SHARE * carrierNanos;
    }

    /** Returns the sites that are worth acting on. */
    public List<Held> sitesOfNote() {
        return sites.stream()
                .filter(site -> !isOfJvm(site) && !isNegligible(site) && !isSmallRest(site))
                .toList();
    }

    /** Returns whether the site stands for the pins without a stack, and they are few. */
    private boolean isSmallRest(Held site) {
        Figures figures = site.figures();
        return site.site().site().equals(PinSite.UNATTRIBUTED)
                && figures.inProgress().count() == 0
                && !isNegligible(site)
                && figures.nanos() <= nanos() / SMALL_REST_PART;
    }

    /** Returns a clause on the few pins without a stack; empty if there are none. */
    String unattributedInWords() {
        List<Held> rest =
                sites.stream().filter(site -> !isOfJvm(site) && isSmallRest(site)).toList();
        return rest.isEmpty() ? "" : "no stack was read of " + sum(rest);
    }

    /** Returns whether the JVM itself made the carrier wait, so that there is nothing to change. */
    private static boolean isOfJvm(Held site) {
        return site.site().kind() == PinKind.JVM;
    }

    /** Returns a phrase on the places that were sampled too rarely; empty if there are none. */
    public String rareInWords() {
        return rare.places() == 0
                ? ""
                : "too few samples for a site: "
                        + rare.places()
                        + (rare.places() == 1 ? " place" : " places")
                        + ", at most "
                        + HumanFormat.duration(rare.nanos());
    }

    /** Returns a clause on the pins for which the JVM itself is the cause; empty if none. */
    public String jvmInWords() {
        List<Held> jvm = sites.stream().filter(PinReport::isOfJvm).toList();
        return jvm.isEmpty()
                ? ""
                : "the JVM itself made carriers wait, for example for memory or a class: "
                        + sum(jvm);
    }

    private static String sum(List<Held> some) {
        long count = some.stream().mapToLong(site -> site.figures().count()).sum();
        long nanos = some.stream().mapToLong(site -> site.figures().nanos()).sum();
        boolean estimated = some.stream().anyMatch(site -> site.figures().isEstimated());
        return HumanFormat.pins(count) + ", " + HumanFormat.duration(nanos, estimated);
    }

    /**
     * Returns a sentence on the sites that are not worth acting on; empty if there are none. On an
     * idle service these are the JVM's own brief pins.
     */
    String restInWords() {
        List<Held> rest =
                sites.stream().filter(site -> !isOfJvm(site) && isNegligible(site)).toList();
        if (rest.isEmpty()) {
            return "";
        }
        return (rest.size() == 1
                        ? "1 more site held carriers"
                        : rest.size() + " more sites held carriers")
                + " for less than a ten-thousandth of the time each: "
                + sum(rest);
    }

    private boolean isNegligible(Held site) {
        Figures figures = site.figures();
        return figures.inProgress().count() == 0 && figures.nanos() < uptimeNanos / NOTABLE_PART;
    }

    /**
     * Returns the part of the scheduler's time that was lost to held carriers, from 0 to 1. A held
     * carrier is not lost while the scheduler or relief compensates for it.
     */
    public double lostShare() {
        return lostShare(carriers.lostNanos(), scheduler.parallelism(), uptimeNanos);
    }

    /** Returns the part of the scheduler's time in {@code nanos} that was lost. */
    public static double lostShare(long lostNanos, long parallelism, long nanos) {
        double all = (double) parallelism * nanos;
        return all <= 0 ? 0 : Math.clamp(lostNanos / all, 0, 1);
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
