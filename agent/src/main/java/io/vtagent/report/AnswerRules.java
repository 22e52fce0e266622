package io.vtagent.report;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.ledger.Sensors;
import io.vtagent.pin.PinSite;
import io.vtagent.report.Answer.Kind;
import io.vtagent.report.AnswerFacts.Place;
import io.vtagent.report.AnswerFacts.Purpose;
import io.vtagent.report.PinReport.CarrierTime;
import io.vtagent.report.PinReport.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why virtual threads are slow. The rules are tried in the order of {@link Kind}, and the
 * first that applies is the answer. The text begins with whether the cause is pinning.
 */
public final class AnswerRules {
    /**
     * Threads that waited for a held carrier matter if at least this many did on average, and at
     * least {@link #MIN_LOST} of the scheduler was lost. With less, hardly a request meets a pin.
     */
    private static final double MIN_WAITING = 0.05;

    /** A smaller share is lost while any JVM starts. */
    private static final double MIN_LOST = 0.01;

    /**
     * If at least this number of threads waited on average, a short outage in a long period is the
     * reason. It must have a site, because a moment without a pin, such as a safepoint pause, can
     * look like one while thousands of threads are queued.
     */
    private static final double MIN_WAITING_IN_OUTAGE = 0.5;

    /**
     * A cause must have at least this part of all the waiting for carriers. A smaller part is a
     * side effect: every pin of a few milliseconds coincides with some computing.
     */
    private static final double MIN_PART = 0.2;

    /** A quota that stops threads for a smaller share of the time delays few requests. */
    private static final double MIN_THROTTLED = 0.05;

    /**
     * Pauses of the JVM for a smaller share of the time delay few requests, or are of its start.
     */
    private static final double MIN_PAUSED = 0.2;

    /**
     * Carriers are saturated if they have work for this share of the time. Below it, queues are
     * short bursts, which every service under load has.
     */
    private static final double MIN_OCCUPIED = 0.8;

    /** Saturated carriers delay others if at least one thread waits on average. */
    private static final double MIN_QUEUED = 1;

    /** Threads that wait for longer than this are slow by the measure of a request. */
    private static final long MIN_WAIT_NANOS = 1_000_000_000;

    /** A line at which fewer of the threads wait does not explain why all are slow. */
    private static final double MIN_THREADS = 0.2;

    /**
     * If at least this share of the threads is at a line at one moment, threads spend most of their
     * time there, for however long each of them has been there.
     */
    private static final double MIN_THREAD_SHARE = 0.5;

    /**
     * Carriers are available if they are neither lost nor have work for this share of the time.
     * They have none either before the scheduler starts them. One of two may compute.
     */
    private static final double MIN_AVAILABLE = 0.4;

    /**
     * If fewer threads waited for carriers on average than this part of those that stand at a line,
     * the carriers are not what most of them wait for.
     */
    private static final double MIN_PART_OF_STANDING = 0.1;

    /** Held carriers for which more threads waited on average are not aside from the answer. */
    private static final double MAX_WAITING_ASIDE = 1;

    /** The same if more of the scheduler was lost. */
    private static final double MAX_LOST_ASIDE = 0.05;

    /** Bursts of work for a smaller share of the time delay few threads. */
    private static final double MIN_OCCUPIED_AT_TIMES = 0.1;

    /** If more of the scheduler is lost, a new virtual thread may have to wait for a carrier. */
    private static final double MIN_LOST_FOR_NEW = 0.2;

    /** A new virtual thread that waits for longer is slow by the measure of a request. */
    private static final long MIN_DELAY_NANOS = 100_000_000;

    /** If more of the scheduler is lost, every new virtual thread has to wait for a carrier. */
    private static final double MIN_LOST_FOR_EVERY_NEW = 0.8;

    /**
     * Where every new virtual thread waits, a mean of this is a pin's doing: an idle or computing
     * scheduler starts one within a millisecond or two.
     */
    private static final long MIN_DELAY_OF_EVERY_NANOS = 10_000_000;

    /**
     * Carriers without a CPU for more than this share of their work are worth a sentence. For this
     * share of the time, they are the answer if nothing else is.
     */
    private static final double MIN_RUNNABLE = 0.3;

    /**
     * If they are without a CPU for this share of their work, and use less than {@link #MIN_CPU} of
     * the CPUs, others use the CPUs.
     */
    private static final double MIN_RUNNABLE_ALONE = 0.6;

    private static final double MIN_CPU = 0.5;

    /** A sensor that has not begun by then does not work. */
    private static final long MAX_START_NANOS = 20_000_000_000L;

    /** What threads do that wait and hold their carriers meanwhile. */
    private static final String PINNED = "pinned";

    private static final String ADVICE_ON_COMPUTING =
            "Compute on a bounded pool of platform threads, or in fewer virtual threads at a"
                    + " time.";

    private static final String BREAK_CYCLE =
            "Break the cycle, for example by taking the locks in the same order everywhere.";

    private static final double HALF = 0.5;
    private static final double NANOS = 1e9;
    private static final int PERCENT = 100;
    private static final int MAX_VERDICT = 400;

    private final AnswerFacts facts;
    private final PinReport report;
    private final CarrierTime time;
    private final double periodNanos;
    private final double carrierNanos;

    private AnswerRules(AnswerFacts facts) {
        this.facts = facts;
        report = facts.report();
        time = report.carriers();
        periodNanos = Math.max(report.uptimeNanos(), 1);
        carrierNanos = Math.max(report.scheduler().parallelism(), 1) * periodNanos;
    }

    /** Returns the answer. Never fails: if nothing is known, that is the answer. */
    public static Answer answer(AnswerFacts facts) {
        return new AnswerRules(facts).answer();
    }

    private Answer answer() {
        Diagnosis diagnosis = report.starved().diagnosis();
        if (report.starved().now() && diagnosis != null && !diagnosis.overload()) {
            return stuck(diagnosis);
        }
        Diagnosis deadlock = report.starved().deadlock();
        if (deadlock != null) {
            return deadlocked(deadlock);
        }
        if (areOthersDelayedByPins()) {
            return held();
        }
        if (time.throttledNanos() >= MIN_THROTTLED * periodNanos) {
            return throttled();
        }
        if (time.pausedNanos() >= MIN_PAUSED * periodNanos) {
            return paused();
        }
        if (areCarriersSaturated()) {
            return busy();
        }
        AnswerFacts.Deadlock withoutCarriers = deadlockWithoutCarriers();
        if (withoutCarriers != null) {
            return deadlocked(withoutCarriers);
        }
        if (isCpuWhatThreadsWaitFor()) {
            return busy();
        }
        Place place = place();
        if (place != null) {
            return waiting(place);
        }
        if (isNewThreadLate()) {
            return newThreadsWait();
        }
        Place idle = siteAtWhichMostStand() == null ? placeOf(Purpose.WORK, Purpose.SLEEP) : null;
        if (idle != null) {
            return waiting(idle);
        }
        return report.sitesOfNote().isEmpty() ? nothing() : harmless();
    }

    /** Returns whether held carriers are why virtual threads of the application were queued. */
    private boolean areOthersDelayedByPins() {
        double waitedHeld = time.waitedHeldNanos() / periodNanos;
        double waitedBusy = time.waitedBusyNanos() / periodNanos;
        boolean many =
                time.lostNanos() >= MIN_LOST * carrierNanos
                        ? waitedHeld >= MIN_WAITING
                        : waitedHeld >= MIN_WAITING_IN_OUTAGE && firstSite() != null;
        return many
                && waitedHeld >= MIN_PART * (waitedHeld + waitedBusy)
                && !doMoreStandElsewhere(waitedHeld);
    }

    /**
     * Returns whether a lock or pool explains more than held carriers do, for which hardly any
     * thread waited. Most threads may also stand where they are pinned.
     *
     * @param waited how many threads waited for held carriers on average
     */
    private boolean doMoreStandElsewhere(double waited) {
        if (waited >= MAX_WAITING_ASIDE || time.lostNanos() >= MAX_LOST_ASIDE * carrierNanos) {
            return false;
        }
        return isLittleBesideStanding(waited);
    }

    private boolean isLittleBesideStanding(double waited) {
        Held pinned = siteAtWhichMostStand();
        long standing = pinned == null ? 0 : pinned.figures().inProgress().count();
        if (standing == 0) {
            Place blocked = placeOf(Purpose.BLOCKED);
            standing = blocked == null ? 0 : blocked.threads();
        }
        return waited < MIN_PART_OF_STANDING * standing;
    }

    /** Returns whether computing threads are why virtual threads were queued. */
    private boolean areCarriersSaturated() {
        double waitedBusy = time.waitedBusyNanos() / periodNanos;
        double occupied = (time.runningNanos() + time.runnableNanos()) / carrierNanos;
        return (occupied >= MIN_OCCUPIED && waitedBusy >= MIN_QUEUED)
                || (occupied >= MIN_OCCUPIED_AT_TIMES
                        && waitedBusy >= Math.max(report.scheduler().parallelism(), 1));
    }

    /**
     * Returns whether carriers lacked a CPU for much of the time, and no line at which threads
     * stand explains more.
     */
    private boolean isCpuWhatThreadsWaitFor() {
        double waited = (time.runnableNanos() + time.waitedBusyNanos()) / periodNanos;
        double occupied = time.runningNanos() + time.runnableNanos();
        double existed = time.heldNanos() + occupied + time.idleNanos();
        return isCpuTaken()
                && occupied >= MIN_OCCUPIED_AT_TIMES * carrierNanos
                && time.runnableNanos() >= MIN_RUNNABLE * existed
                && !isLittleBesideStanding(waited);
    }

    /** Returns whether carriers with work mostly lacked a CPU, because others used the CPUs. */
    private boolean isCpuTaken() {
        double occupied = time.runningNanos() + time.runnableNanos();
        return time.runnableNanos() >= MIN_RUNNABLE_ALONE * occupied
                && time.runningNanos() < MIN_CPU * facts.cpus() * periodNanos;
    }

    private AnswerFacts.@Nullable Deadlock deadlockWithoutCarriers() {
        return isAnyThreadAlive() ? facts.threads().deadlock() : null;
    }

    /** Returns false as well if nothing is loaded yet to read stacks with. */
    private boolean isAnyThreadAlive() {
        return report.scheduler().threads() != 0;
    }

    /**
     * Returns the line that explains the waiting; null if there is none. Threads that sleep or wait
     * for work explain nothing.
     */
    private @Nullable Place place() {
        Place pinned = isNewThreadLate() || !isAnyThreadAlive() ? null : placeOfPins();
        Place blocked = placeOf(Purpose.BLOCKED, Purpose.PEER);
        boolean more = pinned == null || (blocked != null && blocked.threads() > pinned.threads());
        return more ? blocked : pinned;
    }

    /** Returns where most threads wait for one of the purposes, if these are many; else null. */
    private @Nullable Place placeOf(Purpose... purposes) {
        if (!isAnyThreadAlive()) {
            return null;
        }
        boolean available = availableShare() >= MIN_AVAILABLE;
        for (Place place : facts.threads().waiting()) {
            double share = (double) place.threads() / Math.max(place.alive(), 1);
            boolean isLong = place.nanos() >= MIN_WAIT_NANOS && share >= MIN_THREADS;
            if (List.of(purposes).contains(place.purpose())
                    && (isLong || (available && share >= MIN_THREAD_SHARE))) {
                return place;
            }
        }
        return null;
    }

    /**
     * Returns the line at which many of the threads have been pinned for long, without
     * compensation; null if there is none. Nobody waits for their carriers, but they wait
     * themselves.
     */
    private @Nullable Place placeOfPins() {
        Map<String, List<PinReport.Pin>> byLine = new LinkedHashMap<>();
        for (PinReport.Pin pin : report.pins()) {
            if (!pin.key().compensated()
                    && pin.ageNanos() >= MIN_WAIT_NANOS
                    && !pin.site().isForMany()) {
                byLine.computeIfAbsent(pin.site().caller(), line -> new ArrayList<>()).add(pin);
            }
        }
        long alive = report.scheduler().threads();
        return byLine.entrySet().stream()
                .max(Comparator.comparingInt(line -> line.getValue().size()))
                .filter(line -> alive > 0 && line.getValue().size() >= MIN_THREADS * alive)
                .map(line -> placeOf(line.getKey(), line.getValue(), alive))
                .orElse(null);
    }

    private static Place placeOf(String line, List<PinReport.Pin> pins, long alive) {
        long longest = pins.stream().mapToLong(PinReport.Pin::ageNanos).max().orElse(0);
        return new Place(
                line, PINNED, Purpose.BLOCKED, pins.size(), Math.max(alive, pins.size()), longest);
    }

    /**
     * Returns whether a new virtual thread would have had to wait because of held carriers,
     * although none of the application did.
     */
    private boolean isNewThreadLate() {
        PinReport.Delayed delayed = report.delayed();
        double lost = time.lostNanos() / carrierNanos;
        long late = lost >= MIN_LOST_FOR_EVERY_NEW ? MIN_DELAY_OF_EVERY_NANOS : MIN_DELAY_NANOS;
        return lost >= MIN_LOST_FOR_NEW
                && time.waitedBusyNanos() < MIN_WAITING * periodNanos
                && (meanDelayNanos() >= late || delayed.currentNanos() >= MIN_WAIT_NANOS)
                && firstSite() != null;
    }

    private long meanDelayNanos() {
        PinReport.Delayed delayed = report.delayed();
        return delayed.nanos() / Math.max(delayed.count(), 1);
    }

    /**
     * Returns the share of the scheduler that was neither lost nor had work; 0 if it has had no
     * carrier.
     */
    private double availableShare() {
        double notIdle = time.lostNanos() + time.runningNanos() + time.runnableNanos();
        return time.heldNanos() + time.idleNanos() + notIdle == 0
                ? 0
                : Math.clamp(1 - notIdle / carrierNanos, 0, 1);
    }

    private Answer stuck(Diagnosis diagnosis) {
        Held first = firstSite();
        return new Answer(
                Kind.STUCK,
                "Pinning: the scheduler is stuck, because every carrier is held. "
                        + TextTruncation.cut(diagnosis.verdict(), MAX_VERDICT)
                        + onUpgradeOfPins(),
                evidence(),
                line(first),
                diagnosis.remedy() == null && first != null ? first.advice() : diagnosis.remedy());
    }

    /** Returns the answer if the scheduler has got other carriers since. */
    private Answer deadlocked(Diagnosis diagnosis) {
        Held first = firstSite();
        return new Answer(
                Kind.STUCK,
                "Pinning: a deadlock remains. Other virtual threads run, because carriers were"
                        + " added. "
                        + TextTruncation.cut(linksOf(diagnosis.deadlock()), MAX_VERDICT),
                evidence(),
                line(first),
                BREAK_CYCLE);
    }

    private Answer deadlocked(AnswerFacts.Deadlock deadlock) {
        return new Answer(
                Kind.WAITING,
                "Not pinning: a deadlock. "
                        + TextTruncation.cut(linksOf(deadlock.links()), MAX_VERDICT)
                        + " Other threads that need these locks wait, too.",
                evidence(),
                deadlock.line(),
                BREAK_CYCLE);
    }

    private static String linksOf(List<Diagnosis.Link> links) {
        return links.stream().map(Diagnosis.Link::inWords).collect(Collectors.joining("; ")) + ".";
    }

    private Answer held() {
        Held first = firstSite();
        String text =
                "Pinning: held carriers made virtual threads wait, "
                        + HumanFormat.duration(time.waitedHeldNanos())
                        + " in all, and "
                        + percent(time.lostNanos() / carrierNanos)
                        + " of the scheduler was lost."
                        + (first == null || line(first) == null ? "" : " " + mostly(first));
        return new Answer(
                Kind.HELD, text, evidence(), line(first), first == null ? null : first.advice());
    }

    /** Returns the answer if only the agent's probe, which is such a thread, had to wait. */
    private Answer newThreadsWait() {
        Held most = longestSite();
        return new Answer(
                Kind.HELD,
                "Pinning: "
                        + percent(time.lostNanos() / carrierNanos)
                        + " of the scheduler was lost to held carriers. A new virtual thread waited"
                        + " "
                        + HumanFormat.duration(
                                Math.max(meanDelayNanos(), report.delayed().currentNanos()))
                        + " for one."
                        + (most == null || line(most) == null
                                ? ""
                                : " They were held longest at "
                                        + most.site().caller()
                                        + " ("
                                        + most.site().kind().label()
                                        + ")."
                                        + onUpgrade(most)),
                evidence(),
                line(most),
                most == null ? null : most.advice());
    }

    private String mostly(Held site) {
        double share = site.waitedNanos() / Math.max((double) time.waitedHeldNanos(), 1);
        String part = share > HALF ? "Most of it was at " : "The largest part was at ";
        return (site.waitedNanos() == 0 ? "They were held at " : part)
                + site.site().caller()
                + " ("
                + site.site().kind().label()
                + (site.waitedNanos() == 0 ? "" : ", " + percent(Math.min(share, 1)))
                + ")."
                + onUpgrade(site);
    }

    /** Returns whether JDK 24 removes the pins that keep the scheduler stuck, as a sentence. */
    private String onUpgradeOfPins() {
        Map<PinSite, Forecast.OfSite> forecasts =
                report.sites().stream()
                        .collect(
                                Collectors.toMap(Held::site, Held::onUpgrade, (one, other) -> one));
        Set<Forecast.OfSite> found =
                report.pins().stream()
                        .filter(pin -> !pin.key().compensated())
                        .map(pin -> forecasts.getOrDefault(pin.site(), Forecast.OfSite.UNKNOWN))
                        .collect(Collectors.toSet());
        if (!report.jvm().monitorsPin() || found.isEmpty()) {
            return "";
        }
        return found.equals(Set.of(Forecast.OfSite.GOES))
                ? " JDK 24 removes these pins."
                : found.equals(Set.of(Forecast.OfSite.STAYS))
                        ? " JDK 24 does not remove these pins."
                        : found.contains(Forecast.OfSite.GOES)
                                ? " JDK 24 removes some of these pins."
                                : "";
    }

    private String onUpgrade(Held site) {
        return switch (site.onUpgrade()) {
            case GOES -> report.jvm().monitorsPin() ? " JDK 24 removes this pin." : "";
            case STAYS -> report.jvm().monitorsPin() ? " JDK 24 does not remove it." : "";
            case UNKNOWN -> "";
        };
    }

    private Answer throttled() {
        return new Answer(
                Kind.THROTTLED,
                "Not pinning: the container's CPU quota stopped threads of this JVM for "
                        + HumanFormat.duration(time.throttledNanos())
                        + " in "
                        + HumanFormat.duration(report.uptimeNanos())
                        + ", summed over the CPUs.",
                evidence(),
                null,
                "Raise the CPU limit of the container, or lower the load.");
    }

    private Answer paused() {
        return new Answer(
                Kind.PAUSED,
                "Not pinning: the JVM paused all threads for "
                        + HumanFormat.duration(time.pausedNanos())
                        + " in "
                        + HumanFormat.duration(report.uptimeNanos())
                        + ", for example to collect garbage.",
                evidence(),
                null,
                "Look at the log of -Xlog:gc,safepoint: the heap may be too small, or too much is"
                        + " allocated.");
    }

    private Answer busy() {
        double occupied = time.runningNanos() + time.runnableNanos();
        String most = busyLine();
        double runnable = time.runnableNanos() / Math.max(occupied, 1);
        String text =
                "Not pinning: the carriers were busy"
                        + (occupied < MIN_OCCUPIED * carrierNanos ? " at times" : "")
                        + ". They had work for "
                        + percent(Math.min(occupied / carrierNanos, 1))
                        + " of the time, and "
                        + number(time.waitedBusyNanos() / periodNanos)
                        + " virtual threads waited for one on average."
                        + (runnable < MIN_RUNNABLE
                                ? ""
                                : " For "
                                        + percent(runnable)
                                        + " of that time they had no CPU, because the machine has"
                                        + " too few for all that runs.")
                        + (most == null ? "" : " Most of it was computing at " + most + ".");
        return new Answer(
                Kind.BUSY,
                text,
                evidence(),
                most,
                isCpuTaken()
                        ? "Find out what uses the CPUs: other processes, or other threads of this"
                                + " JVM."
                        : ADVICE_ON_COMPUTING
                                + (busySite() == null
                                        ? ""
                                        : " Or call Thread.yield every few milliseconds: virtual"
                                                + " threads do not share time slices."));
    }

    /** Returns the line that computed most of the time, for long each time; null if none did. */
    private @Nullable String busySite() {
        for (PinReport.BusyPlace site : report.busy().sites()) {
            if (!site.isRare()
                    && !site.stack().isEmpty()
                    && site.nanos() >= MIN_PART * time.runningNanos()) {
                return site.caller();
            }
        }
        return null;
    }

    /**
     * Returns the line that computes most: the one that did so for long, or else the one at which
     * most carriers are now.
     */
    private @Nullable String busyLine() {
        String computed = busySite();
        if (computed != null) {
            return computed;
        }
        String now = facts.threads().computing();
        if (now != null) {
            return now;
        }
        return report.busy().sites().stream()
                .filter(site -> !site.isRare() && !site.stack().isEmpty())
                .map(PinReport.BusyPlace::caller)
                .findFirst()
                .orElse(null);
    }

    private Answer waiting(Place place) {
        Map<String, Double> evidence = evidence();
        evidence.put("threads", (double) place.alive());
        evidence.put("threadsAtLine", (double) place.threads());
        evidence.put("longestWaitSeconds", place.nanos() / NANOS);
        return new Answer(
                Kind.WAITING,
                (place.waitsFor().equals(PINNED)
                                ? "Pinning, but nobody waits for the carriers: "
                                : "Not pinning: ")
                        + String.format(Locale.ROOT, "%,d of %,d", place.threads(), place.alive())
                        + (place.alive() == 1 ? " virtual thread" : " virtual threads")
                        + (place.threads() == 1 ? " is " : " are ")
                        + place.waitsFor()
                        + " at "
                        + place.line()
                        + (place.nanos() < MIN_WAIT_NANOS
                                ? ""
                                : place.waitsFor().equals(PINNED)
                                        ? ", the longest for " + HumanFormat.duration(place.nanos())
                                        : ", some of them also "
                                                + HumanFormat.duration(place.nanos())
                                                + " before")
                        + ". Carriers were available for "
                        + percent(availableShare())
                        + " of the time.",
                evidence,
                place.line(),
                adviceOn(place.purpose()));
    }

    private static String adviceOn(Purpose purpose) {
        return switch (purpose) {
            case BLOCKED ->
                    "Look at what they wait for: a pool that is too small, a lock that is held for"
                            + " long, or just work.";
            case PEER ->
                    "Look at how long the peer takes to answer. Nothing is wrong if the connections"
                            + " are idle.";
            case SLEEP ->
                    "Nothing is wrong if they are meant to sleep, as a timer is. Otherwise find out"
                            + " what makes them, such as retries or a rate limit.";
            case WORK ->
                    "Nothing is wrong if these are idle workers. If they wait for a pool, it is too"
                            + " small.";
        };
    }

    private @Nullable Held longestSite() {
        return report.sitesOfNote().stream()
                .max(Comparator.comparingLong(site -> site.figures().nanos()))
                .orElse(null);
    }

    private Answer harmless() {
        Held most = longestSite();
        double lost = time.lostNanos() / carrierNanos;
        Held standing = siteAtWhichMostStand();
        double waited = time.waitedHeldNanos() / periodNanos;
        return new Answer(
                Kind.HARMLESS,
                "Pinning, but harmless: carriers were held for "
                        + HumanFormat.duration(report.nanos())
                        + (waited < MIN_WAITING
                                ? ", and hardly any virtual thread waited for one."
                                : ", and "
                                        + number(waited)
                                        + " virtual threads waited for one on average.")
                        + (lost < MIN_LOST_FOR_NEW
                                ? ""
                                : " " + percent(lost) + " of the scheduler was lost, unneeded.")
                        + (standing == null
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        " %,d of %,d virtual threads wait at %s now. If something"
                                                + " is slow, it is there, also without pinning.",
                                        standing.figures().inProgress().count(),
                                        report.scheduler().threads(),
                                        line(standing)))
                        + down(),
                evidence(),
                line(standing == null ? most : standing),
                null);
    }

    /** Returns the site of most of the virtual threads that are alive; null if there is none. */
    private @Nullable Held siteAtWhichMostStand() {
        long alive = report.scheduler().threads();
        return report.sitesOfNote().stream()
                .filter(site -> line(site) != null && alive > 1)
                .filter(
                        site ->
                                site.figures().inProgress().count()
                                        >= Math.max(MIN_THREAD_SHARE * alive, 2))
                .findFirst()
                .orElse(null);
    }

    private Answer nothing() {
        String text;
        if (!report.jvm().carriers()) {
            text = "Not pinning: " + report.jvm().pinningMode() + ".";
        } else if (!facts.ran()) {
            text = "Not pinning: no virtual thread ran.";
        } else {
            text =
                    "Not pinning: no virtual thread held its carrier"
                            + (report.isNothingHeld() ? "" : " for long")
                            + ", and hardly any waited for one.";
        }
        return new Answer(Kind.NOTHING, text + down(), evidence(), null, null);
    }

    /**
     * Returns a sentence on the sensors that do not work; empty if all do. In the first seconds
     * some are only starting.
     */
    private String down() {
        List<String> down = new ArrayList<>();
        report.jvm()
                .sensors()
                .forEach(
                        (sensor, failure) -> {
                            boolean starts =
                                    report.uptimeNanos() < MAX_START_NANOS
                                            && Sensors.isStarting(failure);
                            if (!failure.isEmpty() && !starts) {
                                down.add(sensor);
                            }
                        });
        return down.isEmpty()
                ? ""
                : " Pins may be missing, because these sensors do not work: "
                        + String.join(", ", down)
                        + ".";
    }

    /** Returns the line of a site; null if it stands for many, or for pins without a stack. */
    private static @Nullable String line(@Nullable Held site) {
        return site == null || site.site().isForMany() ? null : site.site().caller();
    }

    private @Nullable Held firstSite() {
        List<Held> sites = report.sitesOfNote();
        return sites.isEmpty() ? null : sites.getFirst();
    }

    private Map<String, Double> evidence() {
        Map<String, Double> evidence = new LinkedHashMap<>();
        evidence.put("periodSeconds", periodNanos / NANOS);
        evidence.put("heldSeconds", report.nanos() / NANOS);
        evidence.put("lostShare", time.lostNanos() / carrierNanos);
        evidence.put("waitedForHeldSeconds", time.waitedHeldNanos() / NANOS);
        evidence.put("waitedForBusySeconds", time.waitedBusyNanos() / NANOS);
        evidence.put("runningSeconds", time.runningNanos() / NANOS);
        evidence.put("runnableSeconds", time.runnableNanos() / NANOS);
        evidence.put("idleSeconds", time.idleNanos() / NANOS);
        evidence.put("throttledSeconds", time.throttledNanos() / NANOS);
        evidence.put("pausedSeconds", time.pausedNanos() / NANOS);
        return evidence;
    }

    private static String percent(double share) {
        return share > 0 && share < 0.001
                ? "less than 0.1 %"
                : String.format(Locale.ROOT, "%.1f %%", PERCENT * share);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }
}
