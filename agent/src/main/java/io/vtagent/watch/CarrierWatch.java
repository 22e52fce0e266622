package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.record.ActivePin;
import io.vtagent.record.CarrierArrivals;
import io.vtagent.record.Ledger;
import io.vtagent.record.Sensors;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.KernelThreads;
import io.vtagent.vm.PlatformThreads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every carrier, every now and then, on a platform thread. One that carries a virtual thread and is off the processor is
 * held. If no sensor has noticed it, it is counted for as long as it was held on average ({@link SeenTime}), since the looks come at
 * random distances.
 *
 * <p>A look costs 110 to 230 &micro;s of a processor where nothing is held, since after a pause all of its code is cold; besides, about
 * 0.1 &micro;s for a carrier that waits, 1 to 20 &micro;s for others, and 50 &micro;s for the stack of one that is held. Stacks take at most
 * 2 % of the time, and the looks at most 5 %: with very many carriers they come more rarely.
 */
final class CarrierWatch implements Runnable {
    /** The label of the sensor. */
    static final String LABEL = "native";

    /** Without sampling, the looks only serve {@link Starvation}. */
    private static final long PERIOD_WITHOUT_SAMPLES_NANOS = 100_000_000;

    /** What a look needs is loaded after so long, or for the first virtual thread: many a JVM has neither. */
    private static final long PREPARED_AFTER_NANOS = 30_000_000;

    /** From one look to the next while there are no carriers. The next carrier ends it. */
    private static final long WITHOUT_CARRIERS_NANOS = 2_000_000_000;

    private final CarrierPool pool;
    private final Ledger ledger;
    private final CarrierArrivals arrivals;
    private final SampledPins sampledPins;
    private final PinsInProgress inProgress;
    private final Starvation starvation;
    private final LookPace pace;
    private final LookFailures failures;
    private final boolean samples;

    /** The pins that the sensors knew of at the beginning of the look in progress. */
    private final Map<Thread, ActivePin> noticed = new HashMap<>();

    private volatile int held;
    private volatile Watch.@Nullable Listener listener;
    private boolean finished;
    /** Null where nothing tells the processor time of threads, and before it is known. */
    private @Nullable KernelThreads kernel;

    private final Stops stops = new Stops();

    private volatile long lastNanos = System.nanoTime();
    /** What whoever is told of the looks asks for. */
    private long longestNanos = Long.MAX_VALUE;

    CarrierWatch(
            CarrierPool pool,
            Ledger ledger,
            @Nullable VmEventSensor events,
            UnconfirmedPins unconfirmed,
            Starvation starvation,
            Sensors sensors,
            Watch.Settings settings) {
        this.pool = pool;
        this.ledger = ledger;
        arrivals = ledger.arrivals();
        this.starvation = starvation;
        samples = settings.samplePeriodNanos() > 0;
        pace = new LookPace(
                samples ? settings.samplePeriodNanos() : PERIOD_WITHOUT_SAMPLES_NANOS,
                () -> events != null && events.state() != VmEventSensor.State.IDLE,
                ledger::walksWhateverItCosts,
                lastNanos);
        RunningInitializers initializers = new RunningInitializers(pool);
        sampledPins = new SampledPins(
                ledger,
                events,
                unconfirmed,
                initializers,
                settings.monitorsPin(),
                settings.frames(),
                new SnapshotBudget(this::usedNanos));
        inProgress = new PinsInProgress(ledger, sampledPins, settings.monitorsPin(), settings.frames());
        failures = new LookFailures(LABEL, samples ? sensors : null, this::lost);
    }

    /** Carriers that were held when they were last looked at, whatever by. */
    int held() {
        return held;
    }

    /** The thread that looks cannot be started, or has ended, so that the sensor is down until the next look. */
    void nobodyLooks(Throwable cause) {
        failures.nobodyLooks(cause);
    }

    private void lost() {
        Watch.Listener current = listener;
        if (current != null) {
            current.lost();
        }
    }

    /** Looks until the JVM ends, also when a look fails: what went wrong, such as a want of memory, may pass. */
    @Override
    public void run() {
        while (!hasBegun()) {
            AgentThread.pause(pace.periodNanos());
        }
        while (!AgentThread.isOver()) {
            restUnlessFailing();
            synchronized (this) {
                if (finished) {
                    return;
                }
                lookAgain();
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

    private void rest() {
        if (!arrivals.isHeard() || pool.hasCarriers() || held > 0 || !sampledPins.isEmpty()) {
            AgentThread.pause(pace.nextNanos(lastNanos, !sampledPins.isEmpty(), longestNanos));
            return;
        }
        long noneNanos = arrivals.await(pool::hasCarriers, Math.min(WITHOUT_CARRIERS_NANOS, longestNanos));
        if (pool.hasCarriers()) {
            lastNanos = Math.max(lastNanos, noneNanos);
            pace.restIsOver(System.nanoTime());
        }
    }

    private boolean hasBegun() {
        try {
            long unusedAtNanos = arrivals.await(pool::isUsed, PREPARED_AFTER_NANOS);
            begin();
            lastNanos = pool.isUsed() ? unusedAtNanos : arrivals.await(pool::isUsed, Long.MAX_VALUE);
            pace.restIsOver(System.nanoTime());
            return true;
        } catch (Throwable passing) {
            failures.add(passing);
            return false;
        }
    }

    private synchronized void begin() {
        if (finished) {
            return;
        }
        try {
            KernelThreads begun = new KernelThreads();
            kernel = begun;
            stops.begin();
            if (samples) {
                rehearse(begun);
            }
        } catch (NoClassDefFoundError missing) {
            AgentLog.debug("nothing tells the processor time of threads", missing); // the constructor has said so
        }
    }

    /** Loads what the first look needs that sees something: until that is done it would be over, and no stack could be read any more. */
    private void rehearse(KernelThreads kernel) {
        for (Thread thread : PlatformThreads.all()) {
            if (thread != Thread.currentThread()) {
                sampledPins.rehearse(sight(kernel, thread, thread, kernel.at(thread)));
                return;
            }
        }
    }

    void tell(Watch.Listener newListener) {
        listener = newListener;
    }

    /** Looks once more and never again. What is held stays in progress. */
    synchronized void finish() {
        finished = true;
        if (pool.isUsed()) {
            lookAgain();
        }
    }

    private void lookAgain() {
        long nowNanos = System.nanoTime();
        longestNanos = Long.MAX_VALUE;
        try {
            look(nowNanos, nowNanos - lastNanos);
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

    private void look(long nowNanos, long elapsedNanos) {
        KernelThreads kernel = this.kernel;
        long usedNanos = usedNanos();
        long firstNanos = pace.mostNanos(elapsedNanos);
        long stoppedNanos = Math.min(stops.newNanos(), elapsedNanos);
        SeenTime first = SeenTime.once(firstNanos, pace.meanNanos(), pace.whileSeenNanos())
                .afterRest(pace.hasRested())
                .stopped(elapsedNanos == 0 ? 0 : (long) ((double) stoppedNanos / elapsedNanos * firstNanos));
        sampledPins.begin(elapsedNanos, first, stops.anyNew(), stoppedNanos);
        noticed.clear();
        for (ActivePin pin : ledger.active()) {
            noticed.put(pin.carrier(), pin);
        }
        List<Thread> carriers = pool.carriers();
        int heldNow = 0;
        int idle = 0;
        for (Thread carrier : carriers) {
            Thread thread = pool.mountedOn(carrier);
            Thread.State state = carrier.getState();
            if (thread == null) {
                idle += state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING ? 1 : 0;
                continue;
            }
            boolean entering = state == Thread.State.BLOCKED;
            KernelThreads.Look look = state == Thread.State.RUNNABLE && kernel != null ? kernel.at(carrier) : null;
            if (state == Thread.State.RUNNABLE && (look == null || !look.asleep())) {
                continue;
            }
            heldNow++;
            ActivePin known = noticed.get(carrier);
            if (samples && !entering && look == null && known != null && known.thread() == thread) {
                sampledPins.sawWaiting(known);
            }
            if (samples && kernel != null && (entering || look != null) && !isNoticed(carrier, thread)) {
                sampledPins.saw(sight(kernel, carrier, thread, look));
            }
        }
        sampledPins.end(nowNanos, stops.anyNew());
        held = heldNow;
        pace.looked(nowNanos, heldNow, pool.mounts());
        if (finished) {
            return; // nobody acts on it any more
        }
        starvation.look(nowNanos, elapsedNanos, firstNanos, carriers, heldNow, idle, this::allActive);
        Watch.Listener current = listener;
        if (current != null) {
            longestNanos = current.looked(nowNanos, noticed.values(), sampledPins.seen());
        }
        pace.took(usedNanos() - usedNanos);
    }

    /** @param look null of a thread that waits to enter: the JVM wakes it every now and then, and to look first would take its time */
    private Sight sight(KernelThreads kernel, Thread carrier, Thread thread, KernelThreads.@Nullable Look look) {
        return new Sight(
                carrier,
                thread,
                look == null,
                look == null ? () -> kernel.nap(carrier) : look::nap,
                () -> look == null ? carrier.getState() == Thread.State.BLOCKED : kernel.nap(carrier) == look.nap(),
                () -> kernel.isInNativeCode(carrier),
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
        return ledger.active().stream().anyMatch(pin -> pin.carrier() == carrier && pin.thread() == thread);
    }

    /** The pins in progress, of all sensors. */
    List<ActivePin> allActive() {
        return inProgress.all();
    }
}
