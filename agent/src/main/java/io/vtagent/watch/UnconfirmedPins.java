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
import org.jspecify.annotations.Nullable;

/**
 * Sampled pins that have ended, of which an event of the JVM may tell as well: it then counts, since it is exact.
 * Without one, within a second they count as they were seen: they were shorter than the events that are asked for, or blocked in a call
 * of native code through {@code java.lang.foreign}, which looks like waiting for a class initializer. Of an event that comes later the
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

    /** @param atNanos when it was seen to have ended */
    private record Ended(SampledPin pin, long atNanos) {
        long beganAtNanos() {
            return atNanos - pin.time().mostNanos();
        }
    }

    /** One that was counted as it was seen. */
    private static final class Counted {
        private final Ended ended;
        /** What no event has told of yet. */
        private long leftNanos;

        Counted(Ended ended) {
            this.ended = ended;
            leftNanos = ended.pin.nanos();
        }
    }

    private record Told(long threadId, String innermost, long beganAtNanos, long endedAtNanos) {}

    private final Ledger ledger;
    private final boolean monitorsPin;
    private final FramesOfInterest wanted;
    private final List<Ended> waiting = new ArrayList<>();

    /** Those of which an event may still come, too late. */
    private final ArrayList<Counted> counted = new ArrayList<>(0); // or ensureCapacity would do nothing at first

    private final Deque<Told> told = new ArrayDeque<>();

    UnconfirmedPins(Ledger ledger, boolean monitorsPin, FramesOfInterest wanted) {
        this.ledger = ledger;
        this.monitorsPin = monitorsPin;
        this.wanted = wanted;
    }

    synchronized void add(SampledPin pin, long nowNanos) {
        Ended ended = new Ended(pin, nowNanos);
        if (told.stream().anyMatch(event -> isSame(ended, event))) {
            return;
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
        long endedAtNanos = event.beganAtNanos() + event.nanos();
        Told newest = new Told(event.threadId(), event.innermostShown(), event.beganAtNanos(), endedAtNanos);
        List<Counted> sameCounted = counted.stream()
                .filter(each -> each.leftNanos > 0 && isSame(each.ended, newest))
                .sorted(Comparator.comparingLong(each -> -commonNanos(each.ended, newest)))
                .toList();
        List<Ended> sameWaiting = same(waiting, newest);
        VmPin rest = rest(event, sameCounted, sameWaiting);
        told.addLast(newest);
        // from here on nothing needs memory: it would be counted neither as it was seen nor as the event tells
        if (told.size() > MOST_EVENTS) {
            told.removeFirst();
        }
        long untoldNanos = event.nanos();
        for (int i = 0; i < sameCounted.size(); i++) {
            Counted each = sameCounted.get(i);
            long toldNanos = Math.min(each.leftNanos, untoldNanos);
            each.leftNanos -= toldNanos; // what is left is another event's, of the wait before or after
            untoldNanos -= toldNanos;
        }
        waiting.removeAll(sameWaiting);
        return rest;
    }

    private static @Nullable VmPin rest(VmPin event, List<Counted> counted, List<Ended> waiting) {
        long countedNanos = counted.stream().mapToLong(each -> each.leftNanos).sum();
        String awaited = null;
        for (Ended ended : waiting) {
            awaited = ended.pin.awaitedUntilOver();
        }
        VmPin known = awaited == null ? event : event.awaiting(awaited);
        long restNanos = event.nanos() - countedNanos;
        return countedNanos == 0 ? known : restNanos < TOLERANCE_NANOS ? null : known.last(restNanos);
    }

    /** How long both lasted at the same time; negative if there is time between them. */
    private static long commonNanos(Ended ended, Told event) {
        return Math.min(ended.atNanos, event.endedAtNanos) - Math.max(ended.beganAtNanos(), event.beganAtNanos);
    }

    private static List<Ended> same(List<Ended> candidates, Told event) {
        return candidates.stream().filter(ended -> isSame(ended, event)).toList();
    }

    /** Whether an event has told of {@code pin}, which was seen last at that time, and ended since. */
    synchronized boolean isTold(SampledPin pin, long seenAtNanos) {
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
                Counted nowCounted = new Counted(ended);
                counted.ensureCapacity(counted.size() + 1); // what needs memory comes before what does not
                count(ended.pin, ended.atNanos);
                rest.remove();
                if (counted.size() < MOST) {
                    counted.add(nowCounted);
                }
            }
        }
        counted.removeIf(each -> !late && nowNanos - each.ended.atNanos > LATEST_EVENT_NANOS);
    }

    /** Counts all that is left: no event will come any more. */
    synchronized void settleAll() {
        while (!waiting.isEmpty()) {
            Ended ended = waiting.getLast();
            count(ended.pin, ended.atNanos);
            waiting.removeLast();
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
