package io.vtagent.sampler;

import io.vtagent.kernel.LastRuns.LastRun;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.SampledPinListener;
import io.vtagent.pin.Site;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import io.vtagent.usage.StackBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pins that the sampler finds and no hook reports, from one sample to the next. For the
 * sampler's thread, except {@link #active}, which any thread may call.
 */
final class SampledPins {
    /** The interval from which on the kernel is asked when a pin has begun or ended in it. */
    private static final long MIN_UNCERTAIN_NANOS = 4_000_000;

    private final Ledger ledger;
    private final @Nullable JfrSensor events;
    private final JfrReconciler reconciler;

    private final StackBudget budget;
    private final SampleClassifier classifier;
    private final PinsInContext inContext;
    private final OvercountCorrection correction = new OvercountCorrection();
    private Map<Thread, SampledPin> previous = new HashMap<>();
    private Map<Thread, SampledPin> current = new HashMap<>();

    /**
     * The pins whose first sample followed a safepoint. Their threads may only be about to resume;
     * the next sample shows whether they sleep.
     */
    private Map<Thread, SampledPin> doubtful = new HashMap<>();

    private Map<Thread, SampledPin> previousDoubtful = new HashMap<>();

    /** The threads of the current sample that have not run since a garbage collection. */
    private int awaitingCpuAfterGc;

    private long beganNanos;
    private long elapsedNanos;
    private long pausedNanos;
    private long queuedNanos;
    private boolean gcEnded;
    private DurationEstimate firstEstimate = DurationEstimate.firstSample(0);
    private boolean safepointSincePrevious;
    private volatile Sample newest = new Sample(List.of(), 0);

    /**
     * The result of one sample. Its sites are found once, when they are first requested, because a
     * scrape requests them for each kind.
     */
    private final class Sample {
        private final List<SampledPin> pins;
        private final long atNanos;
        private volatile @Nullable IdentityHashMap<SampledPin, Site> sites;

        Sample(List<SampledPin> pins, long atNanos) {
            this.pins = pins;
            this.atNanos = atNanos;
        }

        @Nullable Site siteOf(SampledPin pin) {
            IdentityHashMap<SampledPin, Site> found = sites;
            if (found == null) {
                found = new IdentityHashMap<>();
                for (SampledPin each : pins) {
                    PinnedStack stack = each.pinnedStack(ledger.frames());
                    if (stack != null) {
                        found.put(
                                each,
                                ledger.siteOf(
                                        each.kind(), each.reason(ledger.monitorsPin()), stack));
                    }
                }
                sites = found;
            }
            return found.get(pin);
        }
    }

    /**
     * @param events null if JFR events are not wanted
     */
    SampledPins(
            Ledger ledger,
            @Nullable JfrSensor events,
            JfrReconciler reconciler,
            StackBudget budget) {
        this(ledger, ledger::sampledPinListener, events, reconciler, budget);
    }

    private SampledPins(
            Ledger ledger,
            Supplier<@Nullable SampledPinListener> listener,
            @Nullable JfrSensor events,
            JfrReconciler reconciler,
            StackBudget budget) {
        this.budget = budget;
        classifier = new SampleClassifier(budget);
        inContext = new PinsInContext(ledger, listener, budget);
        this.ledger = ledger;
        this.events = events;
        this.reconciler = reconciler;
    }

    /**
     * Returns whether the sample at {@code nowNanos} is complete enough for the next one to
     * continue from it, even if it failed later.
     */
    boolean isNewestSample(long nowNanos) {
        return newest.atNanos == nowNanos;
    }

    /**
     * Returns how many carriers the newest sample may have found off-CPU only because the JVM had
     * stopped them.
     */
    int doubtful() {
        return doubtful.size() + awaitingCpuAfterGc;
    }

    boolean isEmpty() {
        return previous.isEmpty() && doubtful.isEmpty();
    }

    /** Warms up two samples of a pin and its end. No pin is counted for {@code sample}. */
    void warmUp(CarrierSample sample) {
        SampledPins discarded =
                new SampledPins(
                        ledger,
                        () -> null,
                        null,
                        new JfrReconciler(ledger),
                        new StackBudget(System::nanoTime));
        DurationEstimate first = DurationEstimate.firstSample(MIN_UNCERTAIN_NANOS);
        for (int samples = 0; samples < 2; samples++) {
            discarded.begin(MIN_UNCERTAIN_NANOS, first, false, 0, 0, false);
            boolean unused = discarded.add(sample);
            if (!discarded.current.isEmpty()) { // otherwise the pin would have ended
                discarded.end(System.nanoTime(), false);
            }
        }
        for (SampledPin pin : discarded.previous.values()) {
            SampledPin unused = discarded.withEnd(pin);
            PinnedStack unusedToo = pin.pinnedStack(ledger.frames());
        }
    }

    /**
     * Begins a sample.
     *
     * @param newElapsedNanos the time since the previous sample
     * @param newFirstEstimate the duration of a pin that was not in the previous sample
     * @param safepoint whether there was a safepoint since the previous sample. Threads that have
     *     not resumed yet appear to sleep, except to the kernel
     * @param newPausedNanos the time for which the JVM had paused all threads since then
     * @param newQueuedNanos the run queue delay of the process since then
     * @param newGcEnded whether a garbage collection has ended since then
     */
    void begin(
            long newElapsedNanos,
            DurationEstimate newFirstEstimate,
            boolean safepoint,
            long newPausedNanos,
            long newQueuedNanos,
            boolean newGcEnded) {
        beganNanos = System.nanoTime();
        queuedNanos = newQueuedNanos;
        gcEnded = newGcEnded;
        elapsedNanos = newElapsedNanos;
        pausedNanos = newPausedNanos;
        firstEstimate = newFirstEstimate;
        safepointSincePrevious = safepoint;
        budget.passed(elapsedNanos);
        current = new HashMap<>();
        previousDoubtful = doubtful;
        doubtful = new HashMap<>();
        awaitingCpuAfterGc = 0;
    }

    /**
     * Adds the sample of a sleeping carrier. Its stack is read first: the thread may resume at any
     * moment, and the later the stack is read, the more pins are missed.
     *
     * @return false if the carrier may sleep only because the JVM had stopped it
     */
    boolean add(CarrierSample sample) {
        SampledPin earlier = previousPin(sample);
        Snapshot taken = classifier.stack(sample, earlier);
        if (sample.isReportedByHook().getAsBoolean()
                || (taken != null && SnapshotStack.isAgents(taken.frames()))) {
            return true;
        }
        Snapshot stack = classifier.unlessResumed(taken);
        boolean doubted =
                earlier == null
                        && safepointSincePrevious
                        && !sample.entering()
                        && !sample.isSleeping().getAsBoolean();
        BlockingState state = classifier.state(sample, earlier, stack);
        boolean inJvm = state.kind(sample.entering()) == PinKind.JVM;
        if (gcEnded && inJvm && !sample.isSleeping().getAsBoolean()) {
            awaitingCpuAfterGc++;
            return false; // the collector has released the thread, which has not run yet
        }
        long sleepId = sample.sleepId().getAsLong();
        SampledPin pin =
                earlier != null
                                && (earlier.newestSleepId() == sleepId
                                        || isSameEntry(earlier, stack))
                        ? fromStart(
                                earlier.sampledAgain(
                                                sleepId,
                                                heldSincePreviousNanos(sample),
                                                pausedNanos)
                                        .withStack(stack, state))
                        : withStart(
                                SampledPin.firstSample(
                                        sample.carrier(),
                                        sample.thread(),
                                        sample.entering(),
                                        sleepId,
                                        firstEstimate,
                                        stack,
                                        state),
                                sample);
        (doubted ? doubtful : current).put(sample.carrier(), inContext.withContext(pin, sample));
        return !doubted;
    }

    /**
     * Returns {@code pin}, which was not in the previous sample, with the time of its start, if the
     * kernel reports that. After a short interval it is known well enough. A thread that waits to
     * enter a monitor is woken periodically by the JVM.
     */
    private SampledPin withStart(SampledPin pin, CarrierSample sample) {
        if (!isUncertain(firstEstimate.singleSampleNanos()) || sample.entering()) {
            return pin;
        }
        LastRun lastRun = budget.spend(sample.lastRun());
        if (lastRun == null || !sample.isStillBlocked().getAsBoolean()) {
            return pin;
        }
        PinStart start = new PinStart(lastRun, sample.lastRun(), beganNanos, false);
        return start.begun(pin.withStart(start, pin.time()));
    }

    /**
     * Returns {@code pin}, which has ended since the newest sample, with the time of its end, if
     * the kernel reports that. Otherwise it ended, on average, in the middle of the interval. It
     * does not count for the time in which the process had no CPU.
     */
    private SampledPin withEnd(SampledPin pin) {
        PinStart start = pin.start();
        DurationEstimate time = fromStart(pin).time();
        Long endNanos =
                start != null && isUncertain(elapsedNanos) ? budget.spend(start::endNanos) : null;
        if (endNanos == null) {
            return pin.withTime(time.isSingleSample() ? time : endedInTheMiddle(time));
        }
        long after = Math.clamp(endNanos - newest.atNanos, 0, elapsedNanos - queuedNanos);
        DurationEstimate ended = time.endedAfter(after);
        return pin.withTime(
                ended.isSingleSample() // then the time before the sample counts
                        ? ended
                        : ended.plusPaused(Math.min(after, pausedNanos)));
    }

    /** Returns {@code pin}, counted from its start if that is known by now. */
    private static SampledPin fromStart(SampledPin pin) {
        PinStart start = pin.start();
        return start == null ? pin : start.begun(pin);
    }

    private DurationEstimate endedInTheMiddle(DurationEstimate time) {
        long half = firstEstimate.singleSampleNanos() / 2;
        return time.endedAfter(half).plusPaused(Math.min(half, firstEstimate.pausedNanos() / 2));
    }

    /** Stacks matter more than the exact start and end, so they have the rest of the budget. */
    private boolean isUncertain(long intervalNanos) {
        return intervalNanos >= MIN_UNCERTAIN_NANOS && budget.isHalfLeft();
    }

    /**
     * Returns the time for which the pin of {@code sample} has lasted since the previous sample. A
     * thread that was woken and has not run since was in the run queue while no sample was
     * possible.
     */
    private long heldSincePreviousNanos(CarrierSample sample) {
        boolean woken =
                queuedNanos > 0 && !sample.entering() && !sample.isSleeping().getAsBoolean();
        return woken ? elapsedNanos - queuedNanos : elapsedNanos;
    }

    /**
     * Adds a carrier whose thread is in {@code Object.wait}, which a hook has reported as {@code
     * wait}.
     */
    void addObjectWait(ActivePin wait) {
        if (!ledger.monitorsPin()
                && events != null
                && events.state() == JfrSensor.State.IDLE
                && wait.kind() == PinKind.WAIT
                && budget.isLeft()
                && budget.spend(() -> PinnedObjectWaits.isReportedOnlyByEvents(wait))) {
            events.need().waited(Math.min(elapsedNanos, wait.ageNanos()));
        }
    }

    private @Nullable SampledPin previousPin(CarrierSample sample) {
        SampledPin earlier = previous.get(sample.carrier());
        if (earlier == null) {
            SampledPin doubted = previousDoubtful.get(sample.carrier());
            boolean same =
                    doubted != null && doubted.newestSleepId() == sample.sleepId().getAsLong();
            earlier = same && sample.isSleeping().getAsBoolean() ? doubted : null;
        }
        return earlier != null
                        && earlier.thread() == sample.thread()
                        && earlier.entering() == sample.entering()
                ? earlier
                : null;
    }

    /**
     * Returns whether a thread that waited for a monitor at two samples waited for the same one.
     */
    private static boolean isSameEntry(SampledPin earlier, @Nullable Snapshot stack) {
        return earlier.entering()
                && (earlier.stack() == null
                        || stack == null
                        || earlier.stack().frames().equals(stack.frames()));
    }

    /**
     * Ends the sample. Pins that it did not find have ended.
     *
     * @param safepoint whether there was a safepoint since the sample began
     */
    void end(long nowNanos, boolean safepoint) {
        reconciler.inProgress(List.of(), nowNanos);
        for (Iterator<Map.Entry<Thread, SampledPin>> rest = previous.entrySet().iterator();
                rest.hasNext(); ) {
            Map.Entry<Thread, SampledPin> entry = rest.next();
            SampledPin earlier = entry.getValue();
            SampledPin continued = current.get(entry.getKey());
            if (continued == null || !continued.isSame(earlier)) {
                rest.remove(); // first, so that a failed sample does not count the pin twice
                onEnded(withEnd(earlier), nowNanos);
            }
        }
        if (safepoint) {
            current.values().removeIf(this::setAsideIfNew);
        }
        correction.expire(nowNanos);
        if (!current.isEmpty()) {
            current.replaceAll(this::corrected);
        }
        Sample newSample = new Sample(List.copyOf(current.values()), nowNanos);
        previous = current;
        newest = newSample;
        for (SampledPin pin : newSample.pins) {
            if (pin.isNew()) {
                correction.clear(pin.carrier());
            }
        }
        if (events != null && events.state() == JfrSensor.State.IDLE) {
            events.need().onSampled(current.values(), elapsedNanos);
        }
        reconciler.inProgress(newSample.pins, nowNanos);
        reconciler.settle(nowNanos, events != null && events.state() == JfrSensor.State.STARTING);
        for (SampledPin pin : newSample.pins) {
            inContext.inProgress(pin, nowNanos);
        }
    }

    private boolean setAsideIfNew(SampledPin pin) {
        if (pin.entering() || !pin.isNew()) {
            return false;
        }
        doubtful.put(pin.carrier(), pin);
        return true;
    }

    private SampledPin corrected(Thread carrier, SampledPin pin) {
        return pin.isNew()
                ? pin.withTime(pin.time().withOvercount(correction.nanosOf(carrier)))
                : pin;
    }

    /**
     * Returns whether {@code pin} waited only for the garbage collector: for memory, or for one of
     * the collector's locks. Such a wait is not counted: it can happen to any thread that
     * allocates, so the code at its site is not the cause.
     */
    private boolean waitedForCollector(SampledPin pin) {
        return pin.kind() == PinKind.JVM && ((gcEnded && pin.isNew()) || pin.nanos() == 0);
    }

    private void onEnded(SampledPin pin, long nowNanos) {
        if (waitedForCollector(pin)) {
            inContext.dropped(pin);
            return;
        }
        JfrSensor.State state = events == null ? JfrSensor.State.DOWN : events.state();
        if (events != null && state == JfrSensor.State.IDLE) {
            events.need().ended(pin.afterEnd());
        }
        if (state == JfrSensor.State.IDLE
                || state == JfrSensor.State.DOWN
                || pin.isInNativeCode()) {
            reconciler.count(pin, nowNanos);
            correction.add(pin.carrier(), pin.time(), newest.atNanos);
        } else {
            reconciler.add(pin.withContext(null), nowNanos); // which would keep the span
        }
        inContext.ended(pin, newest.atNanos);
    }

    /** Returns the pins of the newest sample, without sites. */
    List<ActivePin> sampled() {
        return newest.pins.stream().map(pin -> pin.active(ledger.monitorsPin(), 0, null)).toList();
    }

    /** Returns the pins of the newest sample, with their sites and their durations up to now. */
    List<ActivePin> active() {
        Sample sample = newest;
        long sinceNanos = Math.max(System.nanoTime() - sample.atNanos, 0);
        List<ActivePin> active = new ArrayList<>();
        for (SampledPin pin : sample.pins) {
            if (!reconciler.isReported(pin, sample.atNanos)) { // otherwise it has ended
                active.add(pin.active(ledger.monitorsPin(), sinceNanos, sample.siteOf(pin)));
            }
        }
        return active;
    }
}
