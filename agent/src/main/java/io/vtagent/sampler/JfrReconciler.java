package io.vtagent.sampler;

import io.vtagent.jfr.VmPin;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.PinnedThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matches sampled pins that have ended with JFR events. If an event describes a sampled pin, the
 * event counts, because it is exact. A sampled pin that no event matches within a second counts as
 * sampled: it was shorter than the threshold of the events. An event that arrives later adds only
 * the time that was not sampled, because samples, too, are far apart on a busy machine.
 * Thread-safe.
 */
final class JfrReconciler {
    /**
     * The longest time for which a pin waits for an event before it is counted. Most events arrive
     * sooner.
     */
    private static final long MAX_DOUBT_NANOS = 1_000_000_000L;

    /**
     * The greatest age of events on arrival. They are up to a second late, and later if the machine
     * is busy.
     */
    private static final long LATEST_EVENT_NANOS = 4_000_000_000L;

    /** The largest error of the times of a sampled pin. */
    private static final long TOLERANCE_NANOS = 30_000_000;

    private static final int MAX_PINS = 10_000;
    private static final int MAX_EVENTS = 1_000;

    /** A sampled pin that has ended. */
    private static final class Ended {
        private final SampledPin pin;
        private final long atNanos;

        /**
         * The time that no event has reported yet. The sampler takes consecutive waits at one place
         * for a single pin.
         */
        private long leftNanos;

        private boolean partlyReported;

        Ended(SampledPin pin, long atNanos) {
            this.pin = pin;
            this.atNanos = atNanos;
            leftNanos = pin.nanos();
        }

        long beganAtNanos() {
            return atNanos - pin.time().maxNanos();
        }
    }

    /** A pin that an event has reported. */
    private static final class ReportedEvent {
        private final long threadId;
        private final String innermost;
        private final long beganAtNanos;
        private final long endedAtNanos;

        /** Whether the sampled pin of this event is known. */
        private boolean matched;

        ReportedEvent(VmPin event) {
            threadId = event.threadId();
            innermost = event.innermostShown();
            beganAtNanos = event.beganAtNanos();
            endedAtNanos = event.beganAtNanos() + event.nanos();
        }
    }

    private final Ledger ledger;
    private final List<Ended> waiting = new ArrayList<>();

    /** Pins that have been counted and whose events may still arrive, too late. */
    private final ArrayList<Ended> counted =
            new ArrayList<>(0); // with the default, ensureCapacity would do nothing at first

    /**
     * The pins of the newest sample, as if they had ended then. Empty from the moment when the next
     * sample adds the pins that have ended.
     */
    private List<Ended> inProgress = List.of();

    private final Deque<ReportedEvent> reported = new ArrayDeque<>(MAX_EVENTS + 2);

    JfrReconciler(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Sets the pins in progress to {@code pins}, the result of a sample. They stay in progress
     * until the next sample adds the pins that have ended. An event may report one of them before
     * that.
     */
    synchronized void inProgress(List<SampledPin> pins, long nowNanos) {
        // nearly always empty, and streaming an empty list takes a fifth of the time of a sample
        inProgress =
                pins.isEmpty()
                        ? List.of()
                        : pins.stream().map(pin -> new Ended(pin, nowNanos)).toList();
    }

    synchronized void add(SampledPin pin, long nowNanos) {
        Ended ended = new Ended(pin, nowNanos);
        for (ReportedEvent event : reported) {
            // otherwise it is the wait before or after, whose own event is known or will arrive
            if (isSame(ended, event) && (!event.matched || isMostly(ended, event))) {
                event.matched = true;
                return;
            }
        }
        if (waiting.size() < MAX_PINS) {
            waiting.add(ended);
        } else {
            count(pin, nowNanos);
        }
    }

    /**
     * Drops the sampled pins that {@code event} describes, because the event counts.
     *
     * @return the event, with the class that the thread was sampled waiting for; only the rest of
     *     the event if some of it was counted as sampled; null if that rest is too short to count
     */
    synchronized @Nullable VmPin claim(VmPin event) {
        ReportedEvent newest = new ReportedEvent(event);
        Ended best =
                Stream.concat(
                                waiting.stream(),
                                inProgress.stream().filter(ended -> mayHaveEnded(ended, newest)))
                        .filter(ended -> isSame(ended, newest))
                        .min(Comparator.comparingLong(ended -> differenceNanos(ended, newest)))
                        .orElse(null);
        List<Ended> sameWaiting = best == null ? List.of() : claimed(newest, best);
        List<Ended> sameCounted =
                counted.stream()
                        .filter(ended -> ended.leftNanos > 0 && isSame(ended, newest))
                        .filter(ended -> sameWaiting.isEmpty() || isMostly(ended, newest))
                        .sorted(Comparator.comparingLong(ended -> -commonNanos(ended, newest)))
                        .toList();
        List<Ended> over =
                sameWaiting.stream()
                        .filter(ended -> ended.leftNanos - event.nanos() < TOLERANCE_NANOS)
                        .toList();
        VmPin rest = rest(event, best, sameCounted, sameWaiting);
        reported.addLast(newest);
        // from here on nothing allocates: after a failure the pin would be counted neither as
        // sampled nor as reported
        if (reported.size() > MAX_EVENTS) {
            reported.removeFirst();
        }
        subtract(sameCounted, event.nanos());
        subtract(sameWaiting, event.nanos());
        waiting.removeAll(over);
        newest.matched = !sameCounted.isEmpty() || !sameWaiting.isEmpty();
        return rest;
    }

    /**
     * Subtracts the time of an event. The time that is left belongs to the event of the wait before
     * or after.
     */
    private static void subtract(List<Ended> those, long nanos) {
        long unreportedNanos = nanos;
        for (int i = 0; i < those.size(); i++) {
            Ended each = those.get(i);
            long reportedNanos = Math.min(each.leftNanos, unreportedNanos);
            each.partlyReported = true;
            // less than the tolerance is an error of the samples and not another wait
            each.leftNanos =
                    each.leftNanos - reportedNanos < TOLERANCE_NANOS
                            ? 0
                            : each.leftNanos - reportedNanos;
            unreportedNanos -= reportedNanos;
        }
    }

    private static @Nullable VmPin rest(
            VmPin event, @Nullable Ended best, List<Ended> counted, List<Ended> waiting) {
        long countedNanos = counted.stream().mapToLong(each -> each.leftNanos).sum();
        String awaited = best == null ? null : best.pin.awaitedUntilEnd();
        for (Ended ended : waiting) {
            String its = ended.pin.awaitedUntilEnd();
            awaited = its == null ? awaited : its;
        }
        VmPin known = awaited == null ? event : event.awaiting(awaited);
        long restNanos = event.nanos() - countedNanos;
        return countedNanos == 0
                ? known
                : restNanos < TOLERANCE_NANOS ? null : known.last(restNanos);
    }

    private static long differenceNanos(Ended ended, ReportedEvent event) {
        return Math.abs(ended.beganAtNanos() - event.beganAtNanos)
                + Math.abs(ended.atNanos - event.endedAtNanos);
    }

    /** Returns how long the two overlap; negative if there is time between them. */
    private static long commonNanos(Ended ended, ReportedEvent event) {
        return Math.min(ended.atNanos, event.endedAtNanos)
                - Math.max(ended.beganAtNanos(), event.beganAtNanos);
    }

    /**
     * Returns the sampled pins that {@code event} describes, which may be parts of one wait. The
     * waits before and after it are left to their own events.
     *
     * @param best the pin that fits the event best, which may be in progress
     */
    private List<Ended> claimed(ReportedEvent event, Ended best) {
        return waiting.stream()
                .filter(
                        ended ->
                                ended == best
                                        || (ended.pin.thread() == best.pin.thread()
                                                && isSame(ended, event)
                                                && isMostly(ended, event)))
                .toList();
    }

    /**
     * Returns whether {@code event} may describe a pin that was sampled in progress. If that pin
     * was sampled long after the event, either the sampler took several waits for one, or the event
     * describes another wait. Only the thread and the method identify the wait, so both must be
     * known.
     */
    private static boolean mayHaveEnded(Ended inProgress, ReportedEvent event) {
        SampledPin pin = inProgress.pin;
        List<StackTraceElement> frames = pin.frames();
        boolean several = pin.sleepId() != pin.newestSleepId();
        return event.threadId != 0
                && frames != null
                && !frames.isEmpty()
                && (several || inProgress.atNanos - event.endedAtNanos < TOLERANCE_NANOS);
    }

    /** Returns whether one of the two lies mostly within the other. */
    private static boolean isMostly(Ended ended, ReportedEvent event) {
        long shorterNanos =
                Math.min(ended.pin.time().maxNanos(), event.endedAtNanos - event.beganAtNanos);
        return 2 * commonNanos(ended, event) > shorterNanos;
    }

    /**
     * Returns whether an event has reported {@code pin}, which was last sampled at that time and
     * has ended since.
     */
    synchronized boolean isReported(SampledPin pin, long sampledAtNanos) {
        if (pin.isInNativeCode()) {
            return false;
        }
        Ended ended = new Ended(pin, sampledAtNanos);
        return reported.stream()
                .anyMatch(
                        event ->
                                sampledAtNanos - event.endedAtNanos < TOLERANCE_NANOS
                                        && isSame(ended, event));
    }

    private static boolean isSame(Ended ended, ReportedEvent event) {
        List<StackTraceElement> frames = ended.pin.frames();
        boolean threadKnown = event.threadId != 0;
        if (threadKnown && event.threadId != ended.pin.thread().threadId()) {
            return false;
        }
        if (frames == null || frames.isEmpty()) {
            // the thread alone identifies the pin, or else a start and an end that both fit
            return threadKnown ? overlap(ended, event) : coincide(ended, event);
        }
        StackTraceElement innermost = frames.getFirst();
        return event.innermost.equals(innermost.getClassName() + '.' + innermost.getMethodName())
                && overlap(ended, event);
    }

    private static boolean overlap(Ended ended, ReportedEvent event) {
        return commonNanos(ended, event) > -TOLERANCE_NANOS;
    }

    private static boolean coincide(Ended ended, ReportedEvent event) {
        return Math.abs(ended.beganAtNanos() - event.beganAtNanos) < TOLERANCE_NANOS
                && Math.abs(ended.atNanos - event.endedAtNanos) < TOLERANCE_NANOS;
    }

    /**
     * Counts the pins that no event has matched in time.
     *
     * @param late whether events may be later than usual, because JFR has only just started
     */
    synchronized void settle(long nowNanos, boolean late) {
        for (Iterator<Ended> rest = waiting.iterator(); rest.hasNext(); ) {
            Ended ended = rest.next();
            if (nowNanos - ended.atNanos > MAX_DOUBT_NANOS) {
                counted.ensureCapacity(counted.size() + 1); // allocates before anything is counted
                long countedNanos = ended.pin.afterEnd().nanos();
                countUnlessReported(ended);
                rest.remove();
                if (counted.size() < MAX_PINS && !ended.partlyReported) {
                    ended.leftNanos = countedNanos;
                    counted.add(ended);
                }
            }
        }
        if (!counted.isEmpty()) {
            counted.removeIf(ended -> !late && nowNanos - ended.atNanos > LATEST_EVENT_NANOS);
        }
    }

    /** Counts all pins that are left, because no more events will arrive. */
    synchronized void settleAll() {
        while (!waiting.isEmpty()) {
            countUnlessReported(waiting.getLast());
            waiting.removeLast();
        }
    }

    private void countUnlessReported(Ended ended) {
        if (!ended.partlyReported) {
            count(ended.pin, ended.atNanos);
        }
    }

    /**
     * Counts {@code sampled} as sampled, up to {@code endedAtNanos}, with what has become known
     * since.
     */
    void count(SampledPin sampled, long endedAtNanos) {
        SampledPin pin = sampled.afterEnd();
        ledger.addSampled(
                pin.kind(),
                pin.reason(ledger.monitorsPin()),
                pin.nanos(),
                pin.samples(),
                PinnedThread.of(pin.thread(), endedAtNanos),
                () -> pin.pinnedStack(ledger.frames()));
    }
}
