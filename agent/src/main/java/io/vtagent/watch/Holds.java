package io.vtagent.watch;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.Site;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.SnapshotStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The carriers that were seen held by something that no sensor notices, from one look to the next. For the one thread that looks, but
 * for {@link #active}, which is for any.
 */
final class Holds {
    /** Stacks take at most this part of a processor's time. */
    private static final int STACK_SHARE = 50;

    private static final long MOST_STACK_NANOS = 5_000_000;

    private final Ledger ledger;
    private final @Nullable VmEventSensor events;
    private final Undecided undecided;
    private final boolean monitorsPin;
    private final FramesOfInterest wanted;

    private Map<Thread, Hold> before = new HashMap<>();
    private Map<Thread, Hold> now = new HashMap<>();
    private long elapsedNanos;
    private long firstNanos;
    private long stackBudgetNanos = MOST_STACK_NANOS;
    private volatile Seen newest = new Seen(List.of(), 0);

    /** What one look saw. Its sites are found once, when they are asked for first: a scrape asks for each kind. */
    private final class Seen {
        private final List<Hold> holds;
        private final long atNanos;
        private volatile @Nullable IdentityHashMap<Hold, Site> sites;

        Seen(List<Hold> holds, long atNanos) {
            this.holds = holds;
            this.atNanos = atNanos;
        }

        @Nullable
        Site siteOf(Hold hold) {
            IdentityHashMap<Hold, Site> found = sites;
            if (found == null) {
                found = new IdentityHashMap<>();
                for (Hold each : holds) {
                    HeldStack stack = each.stack(wanted);
                    if (stack != null) {
                        found.put(each, ledger.siteOf(each.kind(), each.reason(monitorsPin), stack));
                    }
                }
                sites = found;
            }
            return found.get(hold);
        }
    }

    /** @param events null if the JVM's events are not asked for */
    Holds(
            Ledger ledger,
            @Nullable VmEventSensor events,
            Undecided undecided,
            boolean monitorsPin,
            FramesOfInterest wanted) {
        this.ledger = ledger;
        this.events = events;
        this.undecided = undecided;
        this.monitorsPin = monitorsPin;
        this.wanted = wanted;
    }

    boolean isEmpty() {
        return before.isEmpty();
    }

    /**
     * A look begins.
     *
     * @param newElapsedNanos the time since the one before
     * @param newFirstNanos the time that counts for what was not held at that one
     */
    void begin(long newElapsedNanos, long newFirstNanos) {
        elapsedNanos = newElapsedNanos;
        firstNanos = newFirstNanos;
        stackBudgetNanos = Math.min(stackBudgetNanos + elapsedNanos / STACK_SHARE, MOST_STACK_NANOS);
        now = new HashMap<>();
    }

    /**
     * {@code carrier} is asleep, with {@code thread} mounted.
     *
     * @param nap tells one sleep of the carrier from another
     * @param napAgain the same, asked for anew
     */
    void saw(Thread carrier, Thread thread, PinKind kind, long nap, LongSupplier napAgain) {
        Hold earlier = before.get(carrier);
        if (earlier != null && (earlier.thread() != thread || earlier.kind() != kind)) {
            earlier = null;
        }
        if (earlier != null && earlier.newestNap() == nap && earlier.frames() != null) {
            now.put(carrier, earlier.seenAgain(nap, elapsedNanos));
            return;
        }
        List<StackTraceElement> frames = stackBudgetNanos > 0 ? framesOf(thread) : null;
        if (frames != null && SnapshotStack.isAgents(frames)) {
            return;
        }
        if (frames != null && (frames.isEmpty() || napAgain.getAsLong() != nap)) {
            frames = null; // it went on meanwhile
        }
        if (earlier != null && (earlier.newestNap() == nap || isSameEntry(earlier, kind, frames))) {
            now.put(carrier, earlier.seenAgain(nap, elapsedNanos).at(frames));
        } else {
            now.put(carrier, new Hold(carrier, thread, kind, nap, nap, firstNanos, frames));
        }
    }

    private List<StackTraceElement> framesOf(Thread thread) {
        long beganNanos = System.nanoTime();
        List<StackTraceElement> frames = List.of(thread.getStackTrace());
        // the first ones take long
        stackBudgetNanos = Math.max(stackBudgetNanos - (System.nanoTime() - beganNanos), -MOST_STACK_NANOS);
        return frames;
    }

    /** Of two looks at a thread that waited for a monitor both times, whether it was for the same one. */
    private static boolean isSameEntry(Hold earlier, PinKind kind, @Nullable List<StackTraceElement> frames) {
        return kind == PinKind.ENTER
                && (earlier.frames() == null
                        || frames == null
                        || earlier.frames().equals(frames));
    }

    /** The look is over: what it did not see any more has ended. */
    void end(long nowNanos) {
        for (Map.Entry<Thread, Hold> entry : before.entrySet()) {
            Hold seen = now.get(entry.getKey());
            if (seen == null || !seen.isSame(entry.getValue())) {
                ended(entry.getValue(), nowNanos);
            }
        }
        before = now;
        newest = new Seen(List.copyOf(now.values()), nowNanos);
        undecided.settle(nowNanos, events != null && events.state() == VmEventSensor.State.STARTING);
    }

    private void ended(Hold hold, long nowNanos) {
        VmEventSensor.State state = events == null ? VmEventSensor.State.DOWN : events.state();
        // nothing but native code blocks in a native method
        boolean mayBeTold = hold.kind() == PinKind.ENTER || !hold.isInNativeMethod();
        if (!mayBeTold || state == VmEventSensor.State.DOWN) {
            undecided.count(hold);
        } else {
            undecided.add(hold, nowNanos);
        }
    }

    /** What the newest look saw, without sites. */
    List<ActivePin> seen() {
        return newest.holds.stream()
                .map(hold -> hold.active(monitorsPin, 0, null))
                .toList();
    }

    /** What the newest look saw, up to now and with its sites. */
    List<ActivePin> active() {
        Seen seen = newest;
        long sinceNanos = Math.max(System.nanoTime() - seen.atNanos, 0);
        List<ActivePin> active = new ArrayList<>();
        for (Hold hold : seen.holds) {
            if (!undecided.isTold(hold, seen.atNanos)) { // or it has ended, and counts
                active.add(hold.active(monitorsPin, sinceNanos, seen.siteOf(hold)));
            }
        }
        return active;
    }
}
