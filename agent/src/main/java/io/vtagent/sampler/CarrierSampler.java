package io.vtagent.sampler;

import io.vtagent.diagnosis.Starvation;
import io.vtagent.hotspot.HotSpot;
import io.vtagent.jvm.GarbageCollections;
import io.vtagent.kernel.KernelThreads;
import io.vtagent.log.AgentLog;
import io.vtagent.record.ActivePin;
import io.vtagent.record.CarrierStartSignal;
import io.vtagent.record.Ledger;
import io.vtagent.record.Sensors;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.PlatformThreads;
import io.vtagent.thread.AgentThread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every carrier, every now and then, on a platform thread. One that carries a virtual
 * thread and is off the processor is held. If no sensor has noticed it, it is counted for as long
 * as it was held on average ({@link DurationEstimate}), since the looks come at random distances.
 *
 * <p>A look costs 110 to 230 &micro;s of a processor where nothing is held, since after a pause all
 * of its code is cold; besides, about 0.1 &micro;s for a carrier that waits, 1 to 20 &micro;s for
 * others, and 50 &micro;s for the stack of one that is held. Stacks take at most 2 % of the time,
 * and the looks at most 5 %: with very many carriers they come more rarely.
 */
final class CarrierSampler implements Runnable {
    /** The label of the sensor. */
    static final String LABEL = "sampler";

    /** Without sampling, the looks only serve {@link Starvation}. */
    private static final long PERIOD_WITHOUT_SAMPLES_NANOS = 100_000_000;

    /**
     * What a look needs is loaded after so long, or for the first virtual thread: many a JVM has
     * neither.
     */
    private static final long PREPARED_AFTER_NANOS = 30_000_000;

    /** From one look to the next while there are no carriers. The next carrier ends it. */
    private static final long WITHOUT_CARRIERS_NANOS = 2_000_000_000;

    /** Whoever ends the watch waits no longer for the look in progress. */
    static final long MAX_FINISH_NANOS = 2_000_000_000;

    private static final long FINISH_POLL_NANOS = 1_000_000;

    private final CarrierPool pool;
    private final Ledger ledger;
    private final CarrierStartSignal arrivals;
    private final SampledPins sampledPins;
    private final PinsInProgress inProgress;
    private final Starvation starvation;
    private final SamplingInterval pace;
    private final SamplerHealth failures;
    private final boolean samples;

    /** The pins that the sensors knew of at the beginning of the look in progress. */
    private final Map<Thread, ActivePin> noticed = new HashMap<>();

    private volatile int held;
    private volatile CarrierMonitoring.@Nullable Listener listener;
    private volatile boolean finished;

    /**
     * One thread looks at a time. No lock: whoever ends the watch does not wait for a look without
     * limit.
     */
    private final AtomicBoolean looking = new AtomicBoolean();

    /** Null where nothing tells the processor time of threads, and before it is known. */
    private @Nullable KernelThreads kernel;

    private final SafepointDeltas stops = new SafepointDeltas();
    private final ProcessorShortage shortage;
    private @Nullable GarbageCollections collections;

    private volatile long lastNanos = System.nanoTime();

    /** What whoever is told of the looks asks for. */
    private long longestNanos = Long.MAX_VALUE;

    CarrierSampler(
            CarrierPool pool,
            Ledger ledger,
            @Nullable JfrSensor events,
            JfrReconciler unconfirmed,
            Starvation starvation,
            Sensors sensors,
            CarrierMonitoring.Settings settings) {
        this.pool = pool;
        this.ledger = ledger;
        arrivals = ledger.arrivals();
        shortage = new ProcessorShortage(ledger);
        this.starvation = starvation;
        samples = settings.samplePeriodNanos() > 0;
        pace =
                new SamplingInterval(
                        samples ? settings.samplePeriodNanos() : PERIOD_WITHOUT_SAMPLES_NANOS,
                        () -> events != null && events.mayCome(),
                        ledger::walksWhateverItCosts,
                        lastNanos);
        sampledPins =
                new SampledPins(
                        ledger,
                        events,
                        unconfirmed,
                        settings.monitorsPin(),
                        settings.frames(),
                        new StackBudget(this::usedNanos));
        inProgress =
                new PinsInProgress(ledger, sampledPins, settings.monitorsPin(), settings.frames());
        failures = new SamplerHealth(LABEL, samples ? sensors : null, this::lost);
    }

    /** Carriers that were held when they were last looked at, whatever by. */
    int held() {
        return held;
    }

    /**
     * The thread that looks cannot be started, or has ended, so that the sensor is down until the
     * next look.
     */
    void nobodyLooks(Throwable cause) {
        failures.nobodyLooks(cause);
    }

    private void lost() {
        CarrierMonitoring.Listener current = listener;
        if (current != null) {
            current.lost();
        }
    }

    /**
     * Looks until the JVM ends, also when a look fails: what went wrong, such as a want of memory,
     * may pass.
     */
    @Override
    public void run() {
        while (!hasBegun()) {
            AgentThread.pause(pace.periodNanos());
        }
        while (!AgentThread.isOver()) {
            restUnlessFailing();
            if (finished) {
                return;
            }
            if (looking.compareAndSet(false, true)) {
                try {
                    if (!finished) {
                        sampleAgain();
                    }
                } finally {
                    looking.set(false);
                }
            }
        }
    }

    private void restUnlessFailing() {
        try {
            rest();
        } catch (Throwable passing) {
            failures.add(passing);
            AgentThread.pause(pace.periodNanos());
        }
    }

    /** A file that is open stands in the way of whoever takes an image of the process (CRaC). */
    private void closeFiles() {
        KernelThreads known = kernel;
        if (known != null) {
            known.close();
            HotSpot.ofThisJvm().close();
        }
    }

    private void rest() {
        boolean idle =
                held == 0 && sampledPins.isEmpty() && (pace.hasRested() || !pool.hasCarriers());
        if (idle && looking.compareAndSet(false, true)) {
            try {
                closeFiles();
            } finally {
                looking.set(false);
            }
        }
        if (!arrivals.isHeard() || pool.hasCarriers() || held > 0 || !sampledPins.isEmpty()) {
            AgentThread.pause(pace.nextNanos(lastNanos, !sampledPins.isEmpty(), longestNanos));
            return;
        }
        long noneNanos =
                arrivals.await(pool::hasCarriers, Math.min(WITHOUT_CARRIERS_NANOS, longestNanos));
        if (pool.hasCarriers()) {
            lastNanos = Math.max(lastNanos, noneNanos);
            pace.restIsOver(System.nanoTime());
        }
    }

    private boolean hasBegun() {
        try {
            long unusedAtNanos = arrivals.await(pool::isUsed, PREPARED_AFTER_NANOS);
            begin();
            lastNanos =
                    pool.isUsed() ? unusedAtNanos : arrivals.await(pool::isUsed, Long.MAX_VALUE);
            pace.restIsOver(System.nanoTime());
            return true;
        } catch (Throwable passing) {
            failures.add(passing);
            return false;
        }
    }

    private void begin() {
        if (!looking.compareAndSet(false, true)) {
            return; // the last look
        }
        try {
            KernelThreads begun = new KernelThreads();
            kernel = begun;
            stops.begin();
            collections = new GarbageCollections();
            shortage.sample(System.nanoTime());
            if (samples) {
                rehearse(begun);
                begun.close();
            }
        } catch (NoClassDefFoundError missing) {
            AgentLog.debug(
                    "nothing tells the processor time of threads",
                    missing); // the constructor has said so
        } finally {
            looking.set(false);
        }
    }

    /**
     * Loads what the first look needs that sees something: until that is done it would be over, and
     * no stack could be read any more.
     */
    private void rehearse(KernelThreads kernel) {
        for (Thread thread : PlatformThreads.all()) {
            if (thread != Thread.currentThread()) {
                sampledPins.rehearse(sight(kernel, thread, thread, kernel.at(thread)));
                return;
            }
        }
    }

    void setListener(CarrierMonitoring.Listener newListener) {
        listener = newListener;
    }

    /**
     * Looks once more and never again. What is held stays in progress. Does without that look where
     * the one in progress lasts for {@link #MAX_FINISH_NANOS}: the JVM is to end whatever the look
     * waits for.
     */
    void finish() {
        finished = true;
        if (!pool.isUsed()) {
            return;
        }
        long beganNanos = System.nanoTime();
        while (!looking.compareAndSet(false, true)) {
            if (System.nanoTime() - beganNanos > MAX_FINISH_NANOS) {
                AgentLog.debug(
                        "a look at the carriers has not ended, the report does without the last"
                                + " one");
                return;
            }
            AgentThread.pause(FINISH_POLL_NANOS);
        }
        try {
            sampleAgain();
            closeFiles();
        } finally {
            looking.set(false);
        }
    }

    private void sampleAgain() {
        long nowNanos = System.nanoTime();
        longestNanos = Long.MAX_VALUE;
        try {
            sample(nowNanos, nowNanos - lastNanos);
            if (!finished) { // the last look may be the first
                failures.over();
            }
        } catch (Throwable failure) {
            failures.add(failure);
        } finally {
            if (sampledPins.hasLooked(nowNanos)) {
                lastNanos = nowNanos;
            }
        }
    }

    private void sample(long nowNanos, long elapsedNanos) {
        KernelThreads kernel = this.kernel;
        long usedNanos = usedNanos();
        // while the process gets no processor there is no sample: one does not stand for that time
        long queuedNanos = finished ? 0 : Math.min(shortage.sample(nowNanos), elapsedNanos);
        long firstNanos = pace.mostNanos(elapsedNanos - queuedNanos);
        boolean collected = collections != null && collections.anyNew();
        // what waits for memory sleeps for longer than the safepoint takes
        long safepointNanos = Math.min(stops.newNanos(), elapsedNanos);
        long stoppedNanos = collected ? elapsedNanos : safepointNanos;
        DurationEstimate first =
                DurationEstimate.once(firstNanos, pace.meanNanos(), pace.whileSeenNanos())
                        .afterRest(pace.hasRested())
                        .stopped(
                                elapsedNanos == 0
                                        ? 0
                                        : (long)
                                                ((double) stoppedNanos
                                                        / elapsedNanos
                                                        * firstNanos));
        sampledPins.begin(
                elapsedNanos, first, stops.anyNew(), stoppedNanos, queuedNanos, collected);
        noticed.clear();
        for (ActivePin pin : ledger.active()) {
            if (pool.isCarrier(pin.carrier())) { // the application may have schedulers of its own
                noticed.put(pin.carrier(), pin);
            }
        }
        List<Thread> carriers = pool.carriers();
        int heldNow = 0;
        int idle = 0;
        for (Thread carrier : carriers) {
            Thread thread = pool.mountedOn(carrier);
            Thread.State state = carrier.getState();
            if (thread == null) {
                boolean inNative =
                        state == Thread.State.RUNNABLE
                                && kernel != null
                                && kernel.at(carrier).asleep();
                if (inNative || pool.isBlockedInTask(carrier)) {
                    heldNow++;
                } else {
                    idle +=
                            state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING
                                    ? 1
                                    : 0;
                }
                continue;
            }
            boolean entering = state == Thread.State.BLOCKED;
            KernelThreads.Look look =
                    state == Thread.State.RUNNABLE && kernel != null ? kernel.at(carrier) : null;
            if (state == Thread.State.RUNNABLE && (look == null || !look.asleep())) {
                continue;
            }
            heldNow++;
            ActivePin known = noticed.get(carrier);
            if (samples && !entering && look == null && known != null && known.thread() == thread) {
                sampledPins.sawWaiting(known);
            }
            if (samples
                    && kernel != null
                    && (entering || look != null)
                    && !isNoticed(carrier, thread)) {
                sampledPins.saw(sight(kernel, carrier, thread, look));
            }
        }
        sampledPins.end(nowNanos, stops.anyNew());
        held = heldNow;
        pace.looked(nowNanos, heldNow, pool.mounts());
        if (finished) {
            return; // nobody acts on it any more
        }
        starvation.sample(
                nowNanos, elapsedNanos, firstNanos, carriers, heldNow, idle, this::allActive);
        CarrierMonitoring.Listener current = listener;
        if (current != null) {
            longestNanos = current.looked(nowNanos, noticed.values(), sampledPins.seen());
        }
        pace.took(usedNanos() - usedNanos);
    }

    /**
     * @param look null of a thread that waits to enter: the JVM wakes it every now and then, and to
     *     look first would take its time
     */
    private CarrierSample sight(
            KernelThreads kernel,
            Thread carrier,
            Thread thread,
            KernelThreads.@Nullable Look look) {
        return new CarrierSample(
                carrier,
                thread,
                look == null,
                look == null ? () -> kernel.nap(carrier) : look::nap,
                () ->
                        look == null
                                ? carrier.getState() == Thread.State.BLOCKED
                                : kernel.nap(carrier) == look.nap(),
                () -> HotSpot.ofThisJvm().at(carrier),
                () -> isNoticedByNow(carrier, thread),
                () -> kernel.sleeps(carrier));
    }

    /** Processor time of the current thread; where that is not known, the time that passes. */
    private long usedNanos() {
        KernelThreads known = kernel;
        return known == null ? System.nanoTime() : known.usedNanos();
    }

    private boolean isNoticed(Thread carrier, Thread thread) {
        ActivePin pin = noticed.get(carrier);
        return pin != null && pin.thread() == thread;
    }

    /** It may have begun since this look did; whoever blocks has told the sensor before. */
    private boolean isNoticedByNow(Thread carrier, Thread thread) {
        return ledger.active().stream()
                .anyMatch(pin -> pin.carrier() == carrier && pin.thread() == thread);
    }

    /** The pins in progress, of all sensors. */
    List<ActivePin> allActive() {
        return inProgress.all();
    }
}
