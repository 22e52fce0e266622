package io.vtagent.sampler;

import io.vtagent.diagnosis.Starvation;
import io.vtagent.record.ActivePin;
import io.vtagent.record.CarrierStartSignal;
import io.vtagent.record.Ledger;
import io.vtagent.record.Sensors;
import io.vtagent.record.VmPinRecorder;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.thread.AgentThread;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is seen from outside: the carriers, those that are held unnoticed, the JVM's events,
 * starvation. Thread-safe.
 */
public final class CarrierMonitoring {
    /**
     * What is watched, and how.
     *
     * @param vmEvents whether the JVM's events are taken
     * @param vmEventsWhenNeeded whether they are taken when the looks have seen what they would
     *     tell, and not from the first virtual thread on; for which there have to be looks
     * @param samplePeriodNanos the mean time between two looks at the carriers, 0 for none that
     *     count
     * @param diagnoseAfterNanos how long all carriers are held before that is diagnosed
     * @param monitorsPin whether a thread that holds a monitor cannot unmount in this JVM
     * @param frames what is wanted of stacks
     * @param relieved whether somebody adds carriers
     */
    public record Settings(
            boolean vmEvents,
            boolean vmEventsWhenNeeded,
            long samplePeriodNanos,
            long diagnoseAfterNanos,
            boolean monitorsPin,
            FramesOfInterest frames,
            BooleanSupplier relieved) {}

    /** Is told of every look at the carriers, on the thread that looks. */
    public interface Listener {
        /**
         * @param noticed the pins in progress that the sensors know of
         * @param seen those that they do not
         * @return how long it may take until the next look; {@link Long#MAX_VALUE} if that does not
         *     matter
         */
        long looked(long nowNanos, Collection<ActivePin> noticed, Collection<ActivePin> seen);

        /** The looks fail, so until the next one nobody knows what is held. */
        void lost();
    }

    private final CarrierPool pool;
    private final Starvation starvation;
    private final CarrierSampler carriers;
    private final CarrierStartSignal arrivals;
    private final @Nullable JfrSensor events;
    private final boolean samples;
    private final boolean eventsWhenNeeded;
    private boolean looking;
    private boolean listening;

    private CarrierMonitoring(
            CarrierPool pool,
            Ledger ledger,
            Sensors sensors,
            Settings settings,
            Predicate<String> isWrapped) {
        this.pool = pool;
        arrivals = ledger.arrivals();
        JfrReconciler unconfirmed =
                new JfrReconciler(ledger, settings.monitorsPin, settings.frames);
        starvation =
                new Starvation(
                        pool,
                        settings.diagnoseAfterNanos,
                        settings.frames.kept(),
                        settings.relieved);
        VmPinRecorder pins = new VmPinRecorder(ledger, settings.monitorsPin, isWrapped);
        samples = settings.samplePeriodNanos > 0 && SamplerHealth.canTellWhatSleeps();
        eventsWhenNeeded = settings.vmEventsWhenNeeded && samples;
        events =
                settings.vmEvents
                        ? new JfrSensor(
                                sensors, pins, unconfirmed, settings.frames, eventsWhenNeeded)
                        : null;
        carriers =
                new CarrierSampler(
                        pool, ledger, events, unconfirmed, starvation, sensors, settings);
    }

    /**
     * Prepares to watch.
     *
     * @param scheduler whose carriers are watched
     * @param sensors is told which of the sensors {@code vm} and {@code sampler} work
     * @param isWrapped whether the class of that name tells the entry of its monitors itself
     * @return null if this JDK's scheduler is not the known one, which {@code sensors} is told
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

    /** Whether the looks tell of pins that no sensor in the bytecode notices. */
    public boolean samples() {
        return samples;
    }

    /**
     * Whether the JVM's events begin when the looks have seen that there is a need for them, and
     * not with the first virtual thread.
     */
    public boolean beginsEventsWhenNeeded() {
        return eventsWhenNeeded;
    }

    /** Tells {@code listener} of every look from now on. */
    public void setListener(Listener listener) {
        carriers.setListener(listener);
    }

    /**
     * Starts the threads, unless they have been. For one thread.
     *
     * @throws OutOfMemoryError if one of them cannot be started now, which may pass
     * @see #notStarted
     */
    public void start() {
        if (!looking) {
            AgentThread.start("vt-agent-watch", this::sample);
            looking = true;
        }
        JfrSensor sensor = events;
        if (sensor != null && !eventsWhenNeeded && !listening) {
            // they cost a second of processor time and some memory, which is wasted where no
            // virtual thread runs
            AgentThread.start(
                    "vt-agent-vm-events",
                    () -> {
                        arrivals.await(pool::isUsed, Long.MAX_VALUE);
                        sensor.start();
                    });
            listening = true;
        }
    }

    private void sample() {
        try {
            carriers.run();
        } catch (Throwable ended) {
            carriers.nobodyLooks(ended);
            throw ended;
        }
    }

    /**
     * {@link #start} has failed: unless the carriers are looked at all the same, {@code sensors} is
     * told.
     */
    public void notStarted(Throwable cause) {
        if (!looking) {
            carriers.nobodyLooks(cause);
        }
    }

    /** Waits until everything has been counted that the JVM, which shuts down, has told of. */
    public void awaitShutdown() {
        carriers.finish();
        if (events != null) {
            events.awaitShutdown();
        }
    }

    /**
     * Ends the watch in a JVM that goes on: what is in progress is counted up to now, and the JVM's
     * events stop. The threads end when all {@link AgentThread#isOver is over}, and only then may
     * the listener be told of the loss.
     */
    public void end() {
        carriers.finish();
        if (events != null) {
            events.end();
        }
    }

    public CarrierPool pool() {
        return pool;
    }

    public Starvation starvation() {
        return starvation;
    }

    /** Carriers that were held when they were last looked at. */
    public int held() {
        return carriers.held();
    }

    /** The pins in progress, of all sensors. */
    public List<ActivePin> active() {
        return carriers.allActive();
    }
}
