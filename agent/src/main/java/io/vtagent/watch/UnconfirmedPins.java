package io.vtagent.watch;

import io.vtagent.record.Ledger;
import io.vtagent.record.PinnedThread;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.VmPin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sampled pins that have ended, of which an event of the JVM may tell as well: it then counts, since it is exact.
 * Without one, within a second they count as they were seen: they were shorter than the events that are asked for. Of an event that comes later the
 * time counts that was not seen: on a busy machine looks, too, are far apart. Thread-safe.
 */
final class UnconfirmedPins {
    /** Nobody waits longer to see what was held. Most events come sooner. */
    private static final long LONGEST_DOUBT_NANOS = 1_000_000_000L;

    /** Events come up to a second late, more if the machine is busy. */
    private static final long LATEST_EVENT_NANOS = 4_000_000_000L;

    /** How far the times of a pin, known from looks, may be off. */
    private static final long TOLERANCE_NANOS = 30_000_000;

    private static final int MOST = 10_000;
    private static final int MOST_EVENTS = 1_000;

    /** A pin that was seen to have ended. */
    private static final class Ended {
        private final SampledPin pin;
        private final long atNanos;
        /** What no event has told of yet. Looks take waits that follow each other at one place for one. */
        private long leftNanos;

        private boolean partlyTold;

        Ended(SampledPin pin, long atNanos) {
            this.pin = pin;
            this.atNanos = atNanos;
            leftNanos = pin.nanos();
        }

        long beganAtNanos() {
            return atNanos - pin.time().mostNanos();
        }
    }

    /** What an event has told. */
    private static final class Told {
        private final long threadId;
        private final String innermost;
        private final long beganAtNanos;
        private final long endedAtNanos;
        /** Whether it is known which pin that was. */
        private boolean matched;

        Told(VmPin event) {
            threadId = event.threadId();
            innermost = event.innermostShown();
            beganAtNanos = event.beganAtNanos();
            endedAtNanos = event.beganAtNanos() + event.nanos();
        }
    }

    private final Ledger ledger;
    private final boolean monitorsPin;
    private final FramesOfInterest wanted;
    private final List<Ended> waiting = new ArrayList<>();

    /** Those of which an event may still come, too late. */
    private final ArrayList<Ended> counted = new ArrayList<>(0); // or ensureCapacity would do nothing at first

    /** What the newest look saw, as if it had ended then; empty from the moment when the next one adds what has ended. */
    private List<Ended> inProgress = List.of();

    private final Deque<Told> told = new ArrayDeque<>(MOST_EVENTS + 2);

    UnconfirmedPins(Ledger ledger, boolean monitorsPin, FramesOfInterest wanted) {
        this.ledger = ledger;
        this.monitorsPin = monitorsPin;
        this.wanted = wanted;
    }

    /**
     * A look has seen {@code pins}, and until the next one adds what has ended nothing else is in progress. An event may tell of one of them
     * before that.
     */
    synchronized void inProgress(List<SampledPin> pins, long nowNanos) {
        // nearly always empty, and a stream of nothing is a fifth of a look
        inProgress = pins.isEmpty()
                ? List.of()
                : pins.stream().map(pin -> new Ended(pin, nowNanos)).toList();
    }

    synchronized void add(SampledPin pin, long nowNanos) {
        Ended ended = new Ended(pin, nowNanos);
        for (Told event : told) {
            // or it is the one before or after, whose own event is known or will come
            if (isSame(ended, event) && (!event.matched || isMostly(ended, event))) {
                event.matched = true;
                return;
            }
        }
        if (waiting.size() < MOST) {
            waiting.add(ended);
        } else {
            count(pin, nowNanos);
        }
    }

    /**
     * Drops what {@code event} tells of, since that counts.
     *
     * @return the event, with the class that the thread was seen to wait for; of one that has been counted as it was seen the rest, null
     *     if that is none worth mentioning
     */
    synchronized @Nullable VmPin claim(VmPin event) {
        Told newest = new Told(event);
        Ended best = Stream.concat(waiting.stream(), inProgress.stream().filter(ended -> mayHaveEnded(ended, newest)))
                .filter(ended -> isSame(ended, newest))
                .min(Comparator.comparingLong(ended -> misfitNanos(ended, newest)))
                .orElse(null);
        List<Ended> sameWaiting = best == null ? List.of() : claimed(newest, best);
        List<Ended> sameCounted = counted.stream()
                .filter(ended -> ended.leftNanos > 0 && isSame(ended, newest))
                .filter(ended -> sameWaiting.isEmpty() || isMostly(ended, newest))
                .sorted(Comparator.comparingLong(ended -> -commonNanos(ended, newest)))
                .toList();
        List<Ended> over = sameWaiting.stream()
                .filter(ended -> ended.leftNanos - event.nanos() < TOLERANCE_NANOS)
                .toList();
        VmPin rest = rest(event, best, sameCounted, sameWaiting);
        told.addLast(newest);
        // from here on nothing needs memory: it would be counted neither as it was seen nor as the event tells
        if (told.size() > MOST_EVENTS) {
            told.removeFirst();
        }
        tell(sameCounted, event.nanos());
        tell(sameWaiting, event.nanos());
        waiting.removeAll(over);
        newest.matched = !sameCounted.isEmpty() || !sameWaiting.isEmpty();
        return rest;
    }

    /** What is left of them is another event's, of the wait before or after. */
    private static void tell(List<Ended> those, long nanos) {
        long untoldNanos = nanos;
        for (int i = 0; i < those.size(); i++) {
            Ended each = those.get(i);
            long toldNanos = Math.min(each.leftNanos, untoldNanos);
            each.partlyTold = true;
            // less is no other wait, but what looks are wrong by
            each.leftNanos = each.leftNanos - toldNanos < TOLERANCE_NANOS ? 0 : each.leftNanos - toldNanos;
            untoldNanos -= toldNanos;
        }
    }

    private static @Nullable VmPin rest(VmPin event, @Nullable Ended best, List<Ended> counted, List<Ended> waiting) {
        long countedNanos = counted.stream().mapToLong(each -> each.leftNanos).sum();
        String awaited = best == null ? null : best.pin.awaitedUntilOver();
        for (Ended ended : waiting) {
            String its = ended.pin.awaitedUntilOver();
            awaited = its == null ? awaited : its;
        }
        VmPin known = awaited == null ? event : event.awaiting(awaited);
        long restNanos = event.nanos() - countedNanos;
        return countedNanos == 0 ? known : restNanos < TOLERANCE_NANOS ? null : known.last(restNanos);
    }

    private static long misfitNanos(Ended ended, Told event) {
        return Math.abs(ended.beganAtNanos() - event.beganAtNanos) + Math.abs(ended.atNanos - event.endedAtNanos);
    }

    /** How long both lasted at the same time; negative if there is time between them. */
    private static long commonNanos(Ended ended, Told event) {
        return Math.min(ended.atNanos, event.endedAtNanos) - Math.max(ended.beganAtNanos(), event.beganAtNanos);
    }

    /**
     * What {@code event} tells of, which looks may have seen in parts. The waits before and after it are left to their own events.
     *
     * @param best what fits it best, which may be in progress
     */
    private List<Ended> claimed(Told event, Ended best) {
        return waiting.stream()
                .filter(ended -> ended == best
                        || (ended.pin.thread() == best.pin.thread() && isSame(ended, event) && isMostly(ended, event)))
                .toList();
    }

    /**
     * Whether {@code event} may tell of what a look has seen in progress. If it was seen for long after, the event is of a wait that looks have
     * taken for the same one, or of another; and whose event that is, is known only by thread and method.
     */
    private static boolean mayHaveEnded(Ended inProgress, Told event) {
        SampledPin pin = inProgress.pin;
        List<StackTraceElement> frames = pin.frames();
        boolean several = pin.nap() != pin.newestNap();
        return event.threadId != 0
                && frames != null
                && !frames.isEmpty()
                && (several || inProgress.atNanos - event.endedAtNanos < TOLERANCE_NANOS);
    }

    /** Whether one of the two lies in the other for the most part. */
    private static boolean isMostly(Ended ended, Told event) {
        long shorterNanos = Math.min(ended.pin.time().mostNanos(), event.endedAtNanos - event.beganAtNanos);
        return 2 * commonNanos(ended, event) > shorterNanos;
    }

    /** Whether an event has told of {@code pin}, which was seen last at that time, and ended since. */
    synchronized boolean isTold(SampledPin pin, long seenAtNanos) {
        if (pin.isInNativeCode()) {
            return false;
        }
        Ended ended = new Ended(pin, seenAtNanos);
        return told.stream()
                .anyMatch(event -> seenAtNanos - event.endedAtNanos < TOLERANCE_NANOS && isSame(ended, event));
    }

    private static boolean isSame(Ended ended, Told event) {
        List<StackTraceElement> frames = ended.pin.frames();
        boolean threadKnown = event.threadId != 0;
        if (threadKnown && event.threadId != ended.pin.thread().threadId()) {
            return false;
        }
        if (frames == null || frames.isEmpty()) {
            // nothing but the thread tells it, or else that both the begin and the end fit
            return threadKnown ? overlap(ended, event) : coincide(ended, event);
        }
        StackTraceElement innermost = frames.getFirst();
        return event.innermost.equals(innermost.getClassName() + '.' + innermost.getMethodName())
                && overlap(ended, event);
    }

    private static boolean overlap(Ended ended, Told event) {
        return commonNanos(ended, event) > -TOLERANCE_NANOS;
    }

    private static boolean coincide(Ended ended, Told event) {
        return Math.abs(ended.beganAtNanos() - event.beganAtNanos) < TOLERANCE_NANOS
                && Math.abs(ended.atNanos - event.endedAtNanos) < TOLERANCE_NANOS;
    }

    /**
     * Counts what no event has claimed in time.
     *
     * @param late whether events may be later than usual, since the JVM has only begun to tell them
     */
    synchronized void settle(long nowNanos, boolean late) {
        for (Iterator<Ended> rest = waiting.iterator(); rest.hasNext(); ) {
            Ended ended = rest.next();
            if (nowNanos - ended.atNanos > LONGEST_DOUBT_NANOS) {
                counted.ensureCapacity(counted.size() + 1); // what needs memory comes before what does not
                long countedNanos = ended.pin.over().nanos();
                countUnlessTold(ended);
                rest.remove();
                if (counted.size() < MOST && !ended.partlyTold) {
                    ended.leftNanos = countedNanos;
                    counted.add(ended);
                }
            }
        }
        if (!counted.isEmpty()) {
            counted.removeIf(ended -> !late && nowNanos - ended.atNanos > LATEST_EVENT_NANOS);
        }
    }

    /** Counts all that is left: no event will come any more. */
    synchronized void settleAll() {
        while (!waiting.isEmpty()) {
            countUnlessTold(waiting.getLast());
            waiting.removeLast();
        }
    }

    private void countUnlessTold(Ended ended) {
        if (!ended.partlyTold) {
            count(ended.pin, ended.atNanos);
        }
    }

    /** Counts {@code seen} as it was seen, until {@code endedAtNanos}, but for what is known since. */
    void count(SampledPin seen, long endedAtNanos) {
        SampledPin pin = seen.over();
        ledger.add(
                pin.kind(),
                pin.reason(monitorsPin),
                pin.nanos(),
                PinnedThread.of(pin.thread(), endedAtNanos),
                () -> pin.pinnedStack(wanted));
    }
}
