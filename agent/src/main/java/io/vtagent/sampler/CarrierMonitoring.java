package io.vtagent.sampler;

import io.vtagent.diagnosis.Starvation;
import io.vtagent.diagnosis.ThreadGroupReader;
import io.vtagent.hook.CarrierStartSignal;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.ledger.VmPinRecorder;
import io.vtagent.pin.ActivePin;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.thread.AgentThread;
import io.vtagent.usage.BusySites;
import io.vtagent.usage.CarrierUsage;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Monitors the carriers of virtual threads: samples them, receives JFR events, and detects
 * starvation. Thread-safe.
 */
public final class CarrierMonitoring {
    /**
     * Configures the monitoring.
     *
     * @param vmEvents whether JFR events are received
     * @param vmEventsWhenNeeded whether JFR is started when samples show a need for its events, and
     *     not with the first virtual thread; requires sampling
     * @param sampleIntervalNanos the mean sampling interval; 0 if samples count no pins
     * @param diagnoseAfterNanos the time for which all carriers are held before that is diagnosed
     * @param busyNanos the time from which on a virtual thread that computes is busy; 0 if busy
     *     carriers are not wanted
     * @param maxBusySites the maximum number of sites of busy carriers
     * @param relieved returns whether relief adds carriers
     */
    public record Settings(
            boolean vmEvents,
            boolean vmEventsWhenNeeded,
            long sampleIntervalNanos,
            long diagnoseAfterNanos,
            long busyNanos,
            int maxBusySites,
            BooleanSupplier relieved) {}

    /** Is notified of every sample, on the sampler's thread. */
    public interface Listener {
        /**
         * Called after each sample.
         *
         * @param reportedByHooks the pins in progress that hooks have reported
         * @param sampled the pins in progress that only the sampler has found
         * @return the longest time until the next sample, in nanoseconds; {@link Long#MAX_VALUE} if
         *     it does not matter
         */
        long onSampled(
                long nowNanos,
                Collection<ActivePin> reportedByHooks,
                Collection<ActivePin> sampled);

        /** Called when samples fail. Until the next sample succeeds, held carriers are unknown. */
        void onSamplerDown();
    }

    private final CarrierPool pool;
    private final Starvation starvation;
    private final ThreadGroupReader threads;
    private final CarrierSampler sampler;
    private final CarrierStartSignal arrivals;
    private final @Nullable JfrSensor events;
    private final @Nullable BusySites busy;
    private final boolean eventsWhenNeeded;
    private boolean samplerStarted;
    private boolean eventsStarted;

    private CarrierMonitoring(
            CarrierPool pool,
            Ledger ledger,
            Sensors sensors,
            Settings settings,
            Predicate<String> isWrapped) {
        this.pool = pool;
        arrivals = ledger.arrivals();
        threads = new ThreadGroupReader(pool, ledger.frames());
        JfrReconciler reconciler = new JfrReconciler(ledger);
        starvation =
                new Starvation(
                        pool,
                        settings.diagnoseAfterNanos,
                        ledger.frames().kept(),
                        settings.relieved);
        VmPinRecorder pins = new VmPinRecorder(ledger, isWrapped);
        boolean samples = samples(settings.sampleIntervalNanos);
        eventsWhenNeeded = settings.vmEventsWhenNeeded && samples;
        events =
                settings.vmEvents
                        ? new JfrSensor(
                                sensors, pins, reconciler, ledger.frames(), eventsWhenNeeded)
                        : null;
        BusySites wanted =
                samples && settings.busyNanos > 0 ? new BusySites(settings.maxBusySites) : null;
        sampler =
                new CarrierSampler(
                        pool, ledger, events, reconciler, starvation, sensors, settings, wanted);
        busy = sampler.findsBusy() ? wanted : null;
    }

    /**
     * Creates the monitoring, which {@link #start} starts.
     *
     * @param scheduler the scheduler whose carriers are monitored
     * @param sensors records which of the sensors {@code vm} and {@code sampler} work
     * @param isWrapped returns true if the class of that name is instrumented, so that hooks report
     *     the entries of its monitors
     * @return null if this JDK's scheduler is not supported, which {@code sensors} records
     */
    public static @Nullable CarrierMonitoring of(
            CarrierPool.Found scheduler,
            Ledger ledger,
            Sensors sensors,
            Settings settings,
            Predicate<String> isWrapped) {
        CarrierPool pool = scheduler.pool();
        if (pool == null) {
            sensors.put(CarrierSampler.LABEL, scheduler.failure());
            return null;
        }
        return new CarrierMonitoring(pool, ledger, sensors, settings, isWrapped);
    }

    /** Returns whether the sampler reports pins that no hook reports, at that interval. */
    public static boolean samples(long sampleIntervalNanos) {
        return sampleIntervalNanos > 0 && SamplerHealth.canDetectSleep();
    }

    /**
     * Returns whether JFR is started when samples show a need for its events, and not with the
     * first virtual thread.
     */
    public boolean startsEventsWhenNeeded() {
        return eventsWhenNeeded;
    }

    /** Sets the listener that is notified of every later sample. */
    public void setListener(Listener listener) {
        sampler.setListener(listener);
    }

    /**
     * Starts the threads, unless they have been started. For one thread.
     *
     * @throws OutOfMemoryError if a thread cannot be started now; a later call may succeed
     * @see #notStarted
     */
    public void start() {
        if (!samplerStarted) {
            AgentThread.start("vt-agent-watch", this::runSampler);
            samplerStarted = true;
        }
        JfrSensor sensor = events;
        if (sensor != null && !eventsWhenNeeded && !eventsStarted) {
            // JFR costs a second of CPU time and some memory, which is wasted if no virtual thread
            // runs
            AgentThread.start(
                    "vt-agent-vm-events",
                    () -> {
                        arrivals.await(pool::isUsed, Long.MAX_VALUE);
                        sensor.start();
                    });
            eventsStarted = true;
        }
    }

    private void runSampler() {
        try {
            sampler.run();
        } catch (Throwable failure) {
            sampler.onThreadFailure(failure);
            throw failure;
        }
    }

    /**
     * Called when {@link #start} has failed. The sensor is down unless the sampler runs
     * nevertheless.
     */
    public void notStarted(Throwable cause) {
        if (!samplerStarted) {
            sampler.onThreadFailure(cause);
        }
    }

    /** Waits until all events of a JVM that shuts down have been counted. */
    public void awaitShutdown() {
        sampler.finish();
        if (events != null) {
            events.awaitShutdown();
        }
    }

    /**
     * Stops the monitoring in a JVM that continues to run. Pins in progress are counted up to now,
     * and JFR events stop. The threads end once {@link AgentThread#isDetached} returns true. Only
     * after they have ended may the caller notify the listener that the sampler is down.
     */
    public void end() {
        sampler.finish();
        if (events != null) {
            events.end();
        }
    }

    public CarrierPool pool() {
        return pool;
    }

    /** Returns what reads where the virtual threads wait. */
    public ThreadGroupReader threads() {
        return threads;
    }

    public Starvation starvation() {
        return starvation;
    }

    /** Returns the code that computes on carriers for long; null if that is not measured. */
    public @Nullable BusySites busy() {
        return busy;
    }

    /** Returns the number of carriers that were held at the newest sample. */
    public int held() {
        return sampler.held();
    }

    /** Returns how the carriers' time is used. */
    public CarrierUsage usage() {
        return sampler.usage();
    }

    /** Returns the pins in progress from all sensors. */
    public List<ActivePin> active() {
        return sampler.allActive();
    }
}
