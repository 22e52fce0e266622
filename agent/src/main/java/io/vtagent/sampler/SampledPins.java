package io.vtagent.sampler;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The carriers that were seen held by something that no sensor notices, from one look to the next.
 * For the one thread that looks, but for {@link #active}, which is for any.
 */
final class SampledPins {
    private final Ledger ledger;
    private final @Nullable JfrSensor events;
    private final JfrReconciler unconfirmed;
    private final boolean monitorsPin;
    private final FramesOfInterest wanted;

    private final StackBudget budget;
    private final SampleClassifier reader;
    private final OvercountCorrection ahead = new OvercountCorrection();
    private Map<Thread, SampledPin> before = new HashMap<>();
    private Map<Thread, SampledPin> now = new HashMap<>();

    /**
     * What was seen first after the JVM had stopped all threads, and may only be about to go on:
     * whether they sleep, the next look tells.
     */
    private Map<Thread, SampledPin> doubtful = new HashMap<>();

    private Map<Thread, SampledPin> doubtfulBefore = new HashMap<>();
    private long elapsedNanos;
    private long stoppedNanos;
    private long queuedNanos;
    private boolean collected;
    private DurationEstimate first = DurationEstimate.once(0);
    private boolean stoppedBefore;
    private volatile Seen newest = new Seen(List.of(), 0);

    /**
     * What one look saw. Its sites are found once, when they are asked for first: a scrape asks for
     * each kind.
     */
    private final class Seen {
        private final List<SampledPin> pins;
        private final long atNanos;
        private volatile @Nullable IdentityHashMap<SampledPin, Site> sites;

        Seen(List<SampledPin> pins, long atNanos) {
            this.pins = pins;
            this.atNanos = atNanos;
        }

        @Nullable Site siteOf(SampledPin pin) {
            IdentityHashMap<SampledPin, Site> found = sites;
            if (found == null) {
                found = new IdentityHashMap<>();
                for (SampledPin each : pins) {
                    PinnedStack stack = each.pinnedStack(wanted);
                    if (stack != null) {
                        found.put(
                                each, ledger.siteOf(each.kind(), each.reason(monitorsPin), stack));
                    }
                }
                sites = found;
            }
            return found.get(pin);
        }
    }

    /**
     * @param events null if the JVM's events are not asked for
     */
    SampledPins(
            Ledger ledger,
            @Nullable JfrSensor events,
            JfrReconciler unconfirmed,
            boolean monitorsPin,
            FramesOfInterest wanted,
            StackBudget budget) {
        this.budget = budget;
        reader = new SampleClassifier(budget);
        this.ledger = ledger;
        this.events = events;
        this.unconfirmed = unconfirmed;
        this.monitorsPin = monitorsPin;
        this.wanted = wanted;
    }

    /**
     * Whether the look at that time, which may have failed later, has come so far that the next one
     * goes on from there.
     */
    boolean hasLooked(long nowNanos) {
        return newest.atNanos == nowNanos;
    }

    boolean isEmpty() {
        return before.isEmpty() && doubtful.isEmpty();
    }

    /**
     * Loads what {@link #saw} needs, for which {@code sight} is one of a thread that no pin is
     * counted of.
     */
    void rehearse(CarrierSample sight) {
        SampledPins thrownAway =
                new SampledPins(
                        ledger,
                        events,
                        unconfirmed,
                        monitorsPin,
                        wanted,
                        new StackBudget(System::nanoTime));
        thrownAway.saw(sight);
    }

    /**
     * A look begins.
     *
     * @param newElapsedNanos the time since the one before
     * @param newFirst the time that counts for what was not held at that one
     * @param stopped whether the JVM has stopped all threads since the one before. Those that have
     *     not gone on yet look like those that sleep, but for the kernel
     * @param newStoppedNanos for how long it has
     * @param newQueuedNanos for how long the process got no processor
     * @param newCollected whether a garbage collection has ended since the one before
     */
    void begin(
            long newElapsedNanos,
            DurationEstimate newFirst,
            boolean stopped,
            long newStoppedNanos,
            long newQueuedNanos,
            boolean newCollected) {
        queuedNanos = newQueuedNanos;
        collected = newCollected;
        elapsedNanos = newElapsedNanos;
        stoppedNanos = newStoppedNanos;
        first = newFirst;
        stoppedBefore = stopped;
        budget.passed(elapsedNanos);
        now = new HashMap<>();
        doubtfulBefore = doubtful;
        doubtful = new HashMap<>();
    }

    /**
     * The look has come to a carrier that is asleep. Its stack comes first: it may go on at any
     * moment, and the sooner, the more are missed.
     */
    void saw(CarrierSample sight) {
        SampledPin earlier = earlier(sight);
        Snapshot read = reader.stack(sight, earlier);
        if (sight.isNoticed().getAsBoolean()
                || (read != null && SnapshotStack.isAgents(read.frames()))) {
            return;
        }
        Snapshot stack = reader.unlessItWentOn(read);
        boolean doubted =
                earlier == null
                        && stoppedBefore
                        && !sight.entering()
                        && !sight.isAsleep().getAsBoolean();
        BlockingState sleep = reader.sleep(sight, earlier, stack);
        boolean inJvm = sleep.kind(sight.entering()) == PinKind.JVM;
        if (collected && inJvm && !sight.isAsleep().getAsBoolean()) {
            return; // the collector has let it go on, and it has not run yet
        }
        long nap = sight.nap().getAsLong();
        SampledPin pin =
                earlier != null && (earlier.newestNap() == nap || isSameEntry(earlier, stack))
                        ? earlier.seenAgain(nap, sinceBefore(sight), stoppedNanos).at(stack, sleep)
                        : SampledPin.seen(
                                sight.carrier(),
                                sight.thread(),
                                sight.entering(),
                                nap,
                                first,
                                stack,
                                sleep);
        (doubted ? doubtful : now).put(sight.carrier(), pin);
    }

    /**
     * One that was woken meanwhile, and has not run since, was queued when no sample could tell.
     */
    private long sinceBefore(CarrierSample sight) {
        boolean woken = queuedNanos > 0 && !sight.entering() && !sight.isAsleep().getAsBoolean();
        return woken ? elapsedNanos - queuedNanos : elapsedNanos;
    }

    /**
     * The look has come to a carrier whose thread is in {@code Object.wait}, of which {@code wait}
     * is what its hook knows.
     */
    void sawWaiting(ActivePin wait) {
        if (!monitorsPin
                && events != null
                && events.state() == JfrSensor.State.IDLE
                && wait.kind() == PinKind.WAIT
                && budget.isLeft()
                && budget.spend(() -> PinnedObjectWaits.isOnlyToldByEvents(wait))) {
            events.need().waited(Math.min(elapsedNanos, wait.ageNanos()));
        }
    }

    private @Nullable SampledPin earlier(CarrierSample sight) {
        SampledPin earlier = before.get(sight.carrier());
        if (earlier == null) {
            SampledPin doubted = doubtfulBefore.get(sight.carrier());
            boolean same = doubted != null && doubted.newestNap() == sight.nap().getAsLong();
            earlier = same && sight.isAsleep().getAsBoolean() ? doubted : null;
        }
        return earlier != null
                        && earlier.thread() == sight.thread()
                        && earlier.entering() == sight.entering()
                ? earlier
                : null;
    }

    /**
     * Of two looks at a thread that waited for a monitor both times, whether it was for the same
     * one.
     */
    private static boolean isSameEntry(SampledPin earlier, @Nullable Snapshot stack) {
        return earlier.entering()
                && (earlier.stack() == null
                        || stack == null
                        || earlier.stack().frames().equals(stack.frames()));
    }

    /**
     * The look is over: what it did not see any more has ended.
     *
     * @param stopped whether the JVM has stopped all threads since it began
     */
    void end(long nowNanos, boolean stopped) {
        unconfirmed.inProgress(List.of(), nowNanos);
        for (Iterator<Map.Entry<Thread, SampledPin>> rest = before.entrySet().iterator();
                rest.hasNext(); ) {
            Map.Entry<Thread, SampledPin> entry = rest.next();
            SampledPin earlier = entry.getValue();
            SampledPin seen = now.get(entry.getKey());
            if (seen == null || !seen.isSame(earlier)) {
                rest.remove(); // first: were this look to fail, the next one would count it again
                ended(earlier, nowNanos);
            }
        }
        if (stopped) {
            now.values().removeIf(this::isDoubtful);
        }
        ahead.passed(nowNanos);
        if (!now.isEmpty()) {
            now.replaceAll(this::makingUp);
        }
        Seen seenNow = new Seen(List.copyOf(now.values()), nowNanos);
        before = now;
        newest = seenNow;
        for (SampledPin pin : seenNow.pins) {
            if (pin.isNew()) {
                ahead.taken(pin.carrier());
            }
        }
        if (events != null && events.state() == JfrSensor.State.IDLE) {
            events.need().looked(now.values(), elapsedNanos);
        }
        unconfirmed.inProgress(seenNow.pins, nowNanos);
        unconfirmed.settle(nowNanos, events != null && events.state() == JfrSensor.State.STARTING);
    }

    private boolean isDoubtful(SampledPin pin) {
        if (pin.entering() || !pin.isNew()) {
            return false;
        }
        doubtful.put(pin.carrier(), pin);
        return true;
    }

    private SampledPin makingUp(Thread carrier, SampledPin pin) {
        return pin.isNew() ? pin.counting(pin.time().after(ahead.of(carrier))) : pin;
    }

    /**
     * Whether it waited for nothing but the collector: for memory, or for one of its locks. That is
     * not the line's, since any thread that allocates may have to.
     */
    private boolean waitedForCollector(SampledPin pin) {
        return pin.kind() == PinKind.JVM && ((collected && pin.isNew()) || pin.nanos() == 0);
    }

    private void ended(SampledPin pin, long nowNanos) {
        if (waitedForCollector(pin)) {
            return;
        }
        JfrSensor.State state = events == null ? JfrSensor.State.DOWN : events.state();
        if (events != null && state == JfrSensor.State.IDLE) {
            events.need().ended(pin.over());
        }
        if (state == JfrSensor.State.IDLE
                || state == JfrSensor.State.DOWN
                || pin.isInNativeCode()) {
            unconfirmed.count(pin, nowNanos);
            ahead.counted(pin.carrier(), pin.time(), newest.atNanos);
        } else {
            unconfirmed.add(pin, nowNanos);
        }
    }

    /** What the newest look saw, without sites. */
    List<ActivePin> seen() {
        return newest.pins.stream().map(pin -> pin.active(monitorsPin, 0, null)).toList();
    }

    /** What the newest look saw, up to now and with its sites. */
    List<ActivePin> active() {
        Seen seen = newest;
        long sinceNanos = Math.max(System.nanoTime() - seen.atNanos, 0);
        List<ActivePin> active = new ArrayList<>();
        for (SampledPin pin : seen.pins) {
            if (!unconfirmed.isTold(pin, seen.atNanos)) { // or it has ended, and counts
                active.add(pin.active(monitorsPin, sinceNanos, seen.siteOf(pin)));
            }
        }
        return active;
    }
}
