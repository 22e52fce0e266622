package io.vtagent.sampler;

import io.vtagent.diagnosis.Starvation;
import io.vtagent.hook.CarrierStartSignal;
import io.vtagent.hotspot.HotSpot;
import io.vtagent.jvm.GarbageCollections;
import io.vtagent.kernel.KernelThreads;
import io.vtagent.kernel.LastRuns;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.log.AgentLog;
import io.vtagent.pin.ActivePin;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.PlatformThreads;
import io.vtagent.site.JdkCode;
import io.vtagent.thread.AgentThread;
import io.vtagent.usage.BusyCarriers;
import io.vtagent.usage.BusySites;
import io.vtagent.usage.CarrierUsage;
import io.vtagent.usage.RunningCarriers;
import io.vtagent.usage.StackBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Samples all carriers at random intervals, on a platform thread. A carrier with a mounted virtual
 * thread that is off-CPU is held. If no hook has reported the pin, it counts with its estimated
 * duration ({@link DurationEstimate}).
 *
 * <p>A sample costs 110 to 230 &micro;s of CPU time if nothing is held, because after a pause all
 * of its code is cold. In addition it costs about 0.1 &micro;s for each waiting carrier, 1 to 20
 * &micro;s for each other one, and 50 &micro;s for the stack of a held one. Of one CPU, the stacks
 * of sampled pins take at most 2 %, those that attribute the waits of queued threads another 2 %,
 * and those of busy carriers 0.05 %. Samples take at most 5 % with these: with very many carriers
 * the sampling interval grows.
 */
final class CarrierSampler implements Runnable {
    /** The label of the sensor. */
    static final String LABEL = "sampler";

    /** The sampling interval if samples count no pins and only serve {@link Starvation}. */
    private static final long INTERVAL_WITHOUT_SENSOR_NANOS = 100_000_000;

    /**
     * The time after which the sampler warms up, unless there is a virtual thread before. Many JVMs
     * end sooner and never have one.
     */
    private static final long PREPARED_AFTER_NANOS = 30_000_000;

    /** The time between two samples while there are no carriers. The next carrier ends it. */
    private static final long WITHOUT_CARRIERS_NANOS = 2_000_000_000;

    /** The longest time that {@link #finish} waits for the sample in progress. */
    static final long MAX_FINISH_NANOS = 2_000_000_000;

    private static final long FINISH_POLL_NANOS = 1_000_000;

    private final CarrierPool pool;
    private final Ledger ledger;
    private final CarrierStartSignal arrivals;
    private final SampledPins sampledPins;
    private final PinsInProgress inProgress;
    private final Starvation starvation;
    private final CarrierUsage usage;
    private final SamplingInterval interval;
    private final SamplerHealth health;
    private final boolean samples;

    /** Null if busy carriers are not wanted, or this JDK's scheduler does not show them. */
    private final @Nullable BusyCarriers busy;

    /** The pins that hooks had reported when the sample in progress began. */
    private final Map<Thread, ActivePin> reportedByHooks = new HashMap<>();

    private volatile int held;
    private volatile CarrierMonitoring.@Nullable Listener listener;
    private volatile boolean finished;

    /**
     * Set while a thread takes a sample. It is not a lock, because {@link #finish} must not wait
     * for a sample without limit.
     */
    private final AtomicBoolean sampling = new AtomicBoolean();

    /** Set when samples can be taken: before that, there is nothing to complete. */
    private volatile boolean prepared;

    /** Null if the JVM does not report the CPU time of threads, and before that is known. */
    private @Nullable KernelThreads kernel;

    private final SafepointDeltas safepoints = new SafepointDeltas();
    private final ProcessorShortage cpuShortage;
    private final LastRuns lastRuns = new LastRuns();
    private @Nullable GarbageCollections collections;

    /** The CPU time of the checks since the newest sample. */
    private long checkCpuNanos;

    private volatile long lastNanos = System.nanoTime();

    /** The longest sampling interval that the listener accepts. */
    private long maxIntervalNanos = Long.MAX_VALUE;

    CarrierSampler(
            CarrierPool pool,
            Ledger ledger,
            @Nullable JfrSensor events,
            JfrReconciler reconciler,
            Starvation starvation,
            Sensors sensors,
            CarrierMonitoring.Settings settings,
            @Nullable BusySites busySites) {
        this.pool = pool;
        this.ledger = ledger;
        arrivals = ledger.arrivals();
        cpuShortage = new ProcessorShortage(ledger);
        this.starvation = starvation;
        samples = settings.sampleIntervalNanos() > 0;
        interval =
                new SamplingInterval(
                        samples ? settings.sampleIntervalNanos() : INTERVAL_WITHOUT_SENSOR_NANOS,
                        () -> events != null && events.mayArrive(),
                        ledger::walksWhateverItCosts,
                        lastNanos);
        sampledPins = new SampledPins(ledger, events, reconciler, new StackBudget(this::usedNanos));
        inProgress = new PinsInProgress(ledger, sampledPins);
        busy = samples && busySites != null ? busyCarriers(busySites, settings) : null;
        usage = new CarrierUsage(pool, ledger, this::usedNanos, safepoints::sinceBeginNanos);
        health = new SamplerHealth(LABEL, samples ? sensors : null, this::onDown);
    }

    private @Nullable BusyCarriers busyCarriers(
            BusySites sites, CarrierMonitoring.Settings settings) {
        try {
            return new BusyCarriers(
                    sites,
                    new RunningCarriers(pool, () -> kernel, this::usedNanos),
                    settings.busyNanos(),
                    ledger.frames());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            AgentLog.debug(
                    "busy carriers are not found, because the queues' counters are missing:",
                    unknown);
            return null;
        }
    }

    /** Returns whether busy carriers are found. */
    boolean findsBusy() {
        return busy != null;
    }

    /** Returns the number of carriers that were held at the newest sample, for any reason. */
    int held() {
        return held;
    }

    /** Returns how the carriers' time is used. */
    CarrierUsage usage() {
        return usage;
    }

    /**
     * Called when the sampler's thread cannot be started or has ended. The sensor is down until the
     * next sample.
     */
    void onThreadFailure(Throwable cause) {
        health.onThreadFailure(cause);
    }

    private void onDown() {
        CarrierMonitoring.Listener current = listener;
        if (current != null) {
            current.onSamplerDown();
        }
    }

    /**
     * Samples until the JVM ends, even if a sample fails, because the cause, such as a lack of
     * memory, may pass.
     */
    @Override
    public void run() {
        while (!AgentThread.isDetached() && !awaitFirstUse()) {
            AgentThread.pause(interval.intervalNanos());
        }
        while (!AgentThread.isDetached()) {
            pauseUnlessFailing();
            if (finished) {
                return;
            }
            if (sampling.compareAndSet(false, true)) {
                try {
                    if (!finished) {
                        sampleAgain();
                    }
                } finally {
                    sampling.set(false);
                }
            }
        }
    }

    private void pauseUnlessFailing() {
        try {
            pause();
        } catch (Throwable failure) {
            health.add(failure);
            AgentThread.pause(interval.intervalNanos());
        }
    }

    /**
     * Closes the files that the sampler has opened, because open files prevent a checkpoint of the
     * process (CRaC).
     */
    private void closeFiles() {
        KernelThreads known = kernel;
        if (known != null) {
            known.close();
            HotSpot.ofThisJvm().close();
        }
    }

    private void pause() {
        boolean idle =
                held == 0 && sampledPins.isEmpty() && (interval.wasIdle() || !pool.hasCarriers());
        if (idle && sampling.compareAndSet(false, true)) {
            try {
                closeFiles();
            } finally {
                sampling.set(false);
            }
        }
        if (!arrivals.hasArrived() || pool.hasCarriers() || held > 0 || !sampledPins.isEmpty()) {
            pauseWithCheck();
            return;
        }
        long noneNanos =
                arrivals.await(
                        pool::hasCarriers, Math.min(WITHOUT_CARRIERS_NANOS, maxIntervalNanos));
        if (pool.hasCarriers()) {
            beginInterval(Math.max(lastNanos, noneNanos));
        }
    }

    /**
     * Begins an interval without a sample, because there was no carrier until then. What stopped
     * the JVM before is not subtracted from the pins of that interval, and the interval does not
     * count for the time in which this thread had no CPU.
     */
    private void beginInterval(long fromNanos) {
        long nowNanos = System.nanoTime();
        long queuedNanos = cpuShortage.sample(nowNanos);
        lastNanos = fromNanos + Math.clamp(nowNanos - fromNanos, 0, queuedNanos);
        interval.endIdle(nowNanos);
        long unusedStops = safepoints.newNanos();
        boolean unusedCount = safepoints.anyNew();
        boolean unusedCollections = collections != null && collections.anyNew();
    }

    /** Pauses until the next sample. Checks meanwhile which threads are busy. */
    private void pauseWithCheck() {
        BusyCarriers watched = busy;
        boolean fast = watched != null && watched.isBusyForShort();
        long nextNanos =
                interval.nextNanos(
                        lastNanos,
                        !sampledPins.isEmpty(),
                        fast ? Math.min(maxIntervalNanos, interval.busyNanos()) : maxIntervalNanos);
        long beganNanos = System.nanoTime();
        if (watched != null) {
            watched.checkWithin(nextNanos, checkNanos -> checkLater(watched, checkNanos));
        }
        long leftNanos = nextNanos - (System.nanoTime() - beganNanos);
        if (leftNanos > 0) {
            AgentThread.pause(leftNanos);
        }
    }

    /** Returns false if there was no check, because the last sample is taken. */
    private boolean checkLater(BusyCarriers watched, long checkNanos) {
        AgentThread.pause(checkNanos);
        if (finished || !sampling.compareAndSet(false, true)) {
            return false;
        }
        try {
            long usedNanos = usedNanos();
            watched.check(System.nanoTime());
            checkCpuNanos += usedNanos() - usedNanos;
        } finally {
            sampling.set(false);
        }
        return true;
    }

    private boolean awaitFirstUse() {
        try {
            long unusedAtNanos = arrivals.await(pool::isUsed, PREPARED_AFTER_NANOS);
            prepare();
            prepared = true;
            beginInterval(
                    pool.isUsed() ? unusedAtNanos : arrivals.await(pool::isUsed, Long.MAX_VALUE));
            return true;
        } catch (Throwable failure) {
            health.add(failure);
            return false;
        }
    }

    private void prepare() {
        if (!sampling.compareAndSet(false, true)) {
            return; // finish() takes the last sample
        }
        try {
            KernelThreads created = new KernelThreads();
            kernel = created;
            safepoints.begin();
            collections = new GarbageCollections();
            cpuShortage.sample(System.nanoTime());
            if (samples) {
                tryToWarmUp(created);
                created.close();
            }
        } catch (NoClassDefFoundError missing) {
            AgentLog.debug(
                    "the CPU time of threads is not known", missing); // SamplerHealth has logged it
        } finally {
            sampling.set(false);
        }
    }

    private void tryToWarmUp(KernelThreads kernel) {
        try {
            warmUp(kernel);
        } catch (RuntimeException | LinkageError failed) {
            AgentLog.debug("the sampler is not warmed up:", failed);
        }
    }

    /**
     * Warms up what the first sample of a pin needs. Loading it during that sample would take
     * longer than the pin lasts, and no stack could be read.
     */
    private void warmUp(KernelThreads kernel) {
        BlockingState.warmUp();
        lastRuns.calibrate();
        boolean unused =
                new CarrierUsage(pool, ledger, this::usedNanos, () -> 0)
                        .sample(System.nanoTime(), 0, 0, List.of(), 0, 0, 0, List.of(), List::of);
        Thread any = toWarmUpWith(PlatformThreads.all(), thread -> kernel.at(thread).sleeping());
        if (any != null) {
            sampledPins.warmUp(sampleOf(kernel, any, any, kernel.at(any)));
        }
        if (any != null && busy != null) {
            busy.warmUp(any);
        }
    }

    /**
     * Returns a thread, one that sleeps as a held carrier does if there is one; null if there is
     * none. Its class is the JDK's, because the {@code hashCode} of another thread may be the
     * application's code.
     */
    static @Nullable Thread toWarmUpWith(Thread[] threads, Predicate<Thread> sleeps) {
        Thread any = null;
        for (Thread thread : threads) {
            if (thread != Thread.currentThread() && JdkCode.owns(thread.getClass())) {
                any = thread;
                if (sleeps.test(thread)) {
                    return thread;
                }
            }
        }
        return any;
    }

    void setListener(CarrierMonitoring.Listener newListener) {
        listener = newListener;
    }

    /**
     * Takes the last sample, unless no sample has been taken and no virtual thread is mounted. Pins
     * that it finds stay in progress. If the sample in progress lasts for {@link
     * #MAX_FINISH_NANOS}, there is no last sample, because the JVM must end whatever that sample
     * waits for.
     */
    void finish() {
        finished = true;
        if (!pool.isUsed() || (!prepared && pool.mounted() == 0)) {
            return;
        }
        long beganNanos = System.nanoTime();
        while (!sampling.compareAndSet(false, true)) {
            if (System.nanoTime() - beganNanos > MAX_FINISH_NANOS) {
                AgentLog.debug("a sample has not ended: the report omits the last one");
                return;
            }
            AgentThread.pause(FINISH_POLL_NANOS);
        }
        try {
            sampleAgain();
            closeFiles();
        } finally {
            sampling.set(false);
        }
    }

    private void sampleAgain() {
        long nowNanos = System.nanoTime();
        maxIntervalNanos = Long.MAX_VALUE;
        try {
            sample(nowNanos, nowNanos - lastNanos);
            if (!finished) { // the last sample may also be the first
                health.onSuccess();
            }
        } catch (Throwable failure) {
            health.add(failure);
        } finally {
            if (sampledPins.isNewestSample(nowNanos)) {
                lastNanos = nowNanos;
            }
        }
    }

    private void sample(long nowNanos, long elapsedNanos) {
        KernelThreads kernel = this.kernel;
        long usedNanos = usedNanos();
        if (samples) {
            lastRuns.calibrate();
        }
        // a process that gets no CPU takes no samples, and a sample does not stand for that time
        long queuedNanos = finished ? 0 : Math.min(cpuShortage.sample(nowNanos), elapsedNanos);
        long firstNanos = interval.cappedNanos(elapsedNanos - queuedNanos);
        boolean collected = collections != null && collections.anyNew();
        // a thread that waits for memory sleeps for longer than the safepoint lasts
        long safepointNanos = Math.min(safepoints.newNanos(), elapsedNanos);
        long pausedNanos = collected ? elapsedNanos : safepointNanos;
        DurationEstimate first =
                DurationEstimate.firstSample(
                                firstNanos, interval.meanNanos(), interval.pinnedIntervalNanos())
                        .afterIdle(interval.wasIdle())
                        .plusPaused(
                                elapsedNanos == 0
                                        ? 0
                                        : (long)
                                                ((double) pausedNanos / elapsedNanos * firstNanos));
        boolean safepointSincePrevious = safepoints.anyNew();
        sampledPins.begin(
                elapsedNanos, first, safepointSincePrevious, pausedNanos, queuedNanos, collected);
        reportedByHooks.clear();
        for (ActivePin pin : ledger.active()) {
            if (pool.isCarrier(pin.carrier())) { // the application may have its own schedulers
                reportedByHooks.put(pin.carrier(), pin);
            }
        }
        List<Thread> carriers = pool.carriers();
        if (busy != null) {
            busy.begin();
        }
        int heldNow = 0;
        int certainlyHeld = 0;
        int offCpuInTask = 0;
        int idle = 0;
        Thread oneHeld = null;
        for (Thread carrier : carriers) {
            Thread thread = pool.mountedOn(carrier);
            Thread.State state = carrier.getState();
            if (thread == null) {
                boolean inNative =
                        state == Thread.State.RUNNABLE
                                && kernel != null
                                && kernel.at(carrier).sleeping()
                                && (!safepointSincePrevious || kernel.sleeps(carrier));
                if (inNative || pool.isBlockedInTask(carrier)) {
                    heldNow++;
                    offCpuInTask += inNative ? 1 : 0;
                    certainlyHeld++;
                    oneHeld = oneOf(certainlyHeld, carrier, oneHeld);
                } else {
                    idle +=
                            state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING
                                    ? 1
                                    : 0;
                }
                continue;
            }
            boolean entering = state == Thread.State.BLOCKED;
            KernelThreads.Sample kernelSample =
                    state == Thread.State.RUNNABLE && kernel != null ? kernel.at(carrier) : null;
            if (state == Thread.State.RUNNABLE
                    && (kernelSample == null || !kernelSample.sleeping())) {
                if (busy != null && !isReportedByHook(carrier, thread)) {
                    busy.add(carrier, thread);
                }
                continue;
            }
            heldNow++;
            boolean certain = true;
            ActivePin known = reportedByHooks.get(carrier);
            if (samples
                    && !entering
                    && kernelSample == null
                    && known != null
                    && known.thread() == thread) {
                sampledPins.addObjectWait(known);
            }
            if (samples
                    && kernel != null
                    && (entering || kernelSample != null)
                    && !isReportedByHook(carrier, thread)) {
                certain = sampledPins.add(sampleOf(kernel, carrier, thread, kernelSample));
            }
            if (certain) {
                certainlyHeld++;
                oneHeld = oneOf(certainlyHeld, carrier, oneHeld);
            }
        }
        // one carrier stands for all, because reading its state is expensive
        boolean woken = kernel != null && oneHeld != null && kernel.isRunnable(oneHeld);
        boolean safepoint = safepoints.anyNew();
        sampledPins.end(nowNanos, safepoint);
        // a safepoint stops carriers that nothing else holds
        heldNow -= sampledPins.doubtful() + (safepoint ? offCpuInTask : 0);
        if (busy != null) {
            busy.end(nowNanos, firstNanos);
        }
        held = heldNow;
        interval.onSampled(nowNanos, heldNow, pool.mounts());
        boolean anyAble =
                usage.sample(
                        nowNanos,
                        elapsedNanos,
                        firstNanos,
                        carriers,
                        heldNow,
                        woken ? heldNow : 0,
                        idle,
                        reportedByHooks.values(),
                        this::allActive);
        if (finished) {
            return; // nothing uses the result
        }
        starvation.sample(
                nowNanos,
                elapsedNanos,
                firstNanos,
                carriers,
                heldNow,
                anyAble ? 0 : idle,
                this::allActive);
        CarrierMonitoring.Listener current = listener;
        if (current != null) {
            maxIntervalNanos =
                    current.onSampled(nowNanos, reportedByHooks.values(), sampledPins.sampled());
        }
        interval.addCpuNanos(usedNanos() - usedNanos + checkCpuNanos);
        checkCpuNanos = 0;
    }

    /** Chooses one of {@code count} carriers, each with the same probability. */
    private static @Nullable Thread oneOf(int count, Thread newest, @Nullable Thread chosenBefore) {
        return ThreadLocalRandom.current().nextInt(count) == 0 ? newest : chosenBefore;
    }

    /**
     * Returns the sample of a sleeping carrier.
     *
     * @param kernelSample null if the thread waits to enter a monitor: the JVM wakes such a thread
     *     periodically, and asking the kernel first would use up its time
     */
    private CarrierSample sampleOf(
            KernelThreads kernel,
            Thread carrier,
            Thread thread,
            KernelThreads.@Nullable Sample kernelSample) {
        return new CarrierSample(
                carrier,
                thread,
                kernelSample == null,
                kernelSample == null ? () -> kernel.sleepId(carrier) : kernelSample::sleepId,
                () ->
                        isMounted(thread, carrier)
                                && (kernelSample == null
                                        ? carrier.getState() == Thread.State.BLOCKED
                                        : kernel.sleepId(carrier) == kernelSample.sleepId()),
                () -> HotSpot.ofThisJvm().at(carrier),
                () -> isReportedByNow(carrier, thread),
                () -> kernel.sleeps(carrier),
                () -> lastRuns.of(carrier));
    }

    /** Returns whether {@code thread} is on {@code carrier}, or is the carrier itself. */
    private boolean isMounted(Thread thread, Thread carrier) {
        return thread == carrier || pool.mountedOn(carrier) == thread;
    }

    /** Returns the CPU time of the current thread; the elapsed time if that is not known. */
    private long usedNanos() {
        KernelThreads known = kernel;
        return known == null ? System.nanoTime() : known.usedNanos();
    }

    private boolean isReportedByHook(Thread carrier, Thread thread) {
        ActivePin pin = reportedByHooks.get(carrier);
        return pin != null && pin.thread() == thread;
    }

    /**
     * Returns whether a hook has reported a pin since the sample began. Hooks run before the thread
     * blocks.
     */
    private boolean isReportedByNow(Thread carrier, Thread thread) {
        return ledger.active().stream()
                .anyMatch(pin -> pin.carrier() == carrier && pin.thread() == thread);
    }

    /** Returns the pins in progress from all sensors. */
    List<ActivePin> allActive() {
        return inProgress.all();
    }
}
