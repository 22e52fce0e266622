package io.vtagent;

import io.vtagent.exporter.ExporterManager;
import io.vtagent.exporter.MeasurementSource;
import io.vtagent.exporter.ShutdownReportHook;
import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Installer;
import io.vtagent.instrument.SelfTest;
import io.vtagent.instrument.Sensor;
import io.vtagent.instrument.StartupGate;
import io.vtagent.instrument.Transformations;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.pin.Buckets;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.thread.AgentThread;
import io.vtagent.usage.DelayProbe;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent's components: sensors, ledger, sampling, relief and exporters. Assembles them, changes
 * their options and ends them. Can be linked only after the probe is defined.
 *
 * @param watch null where no carriers can be sampled
 * @param proving the thread that tests the sensors; null where there are none
 */
record AgentComponents(
        Transformations transformations,
        Ledger ledger,
        @Nullable CarrierMonitoring watch,
        ReliefController relieving,
        ExporterManager exporters,
        @Nullable Thread proving) {
    /**
     * The longest time that the startup line waits for the sensors' tests, and the sampler for the
     * hooks.
     */
    private static final long MAX_PROOF_NANOS = 1_000_000_000;

    /** The longest time that a detach waits for each component. */
    private static final long MAX_END_NANOS = 10_000_000_000L;

    /** The time after which a hook that was called before the probe was removed has ended. */
    private static final long HOOKS_END_NANOS = 20_000_000;

    /** Rolls back all changes to the JVM after a {@code failure}. */
    static void takeBack(Transformations transformations, Throwable failure) {
        try {
            VtAgentProbe.report(null);
            int unused = transformations.takeBack();
            boolean unusedToo = AgentThread.endAll(MAX_END_NANOS);
        } catch (Throwable another) {
            failure.addSuppressed(another);
        }
    }

    /**
     * Assembles the components around what {@code installer} has installed, and starts them.
     *
     * @param scheduler the application's scheduler; null if there are no carriers
     * @param first the gate that is notified of new carriers
     * @param beside whether the application runs meanwhile
     * @param otelSdk the SDK of OpenTelemetry's agent; null if that has not started this agent
     */
    static AgentComponents of(
            AgentOptions options,
            Installer installer,
            Installation installation,
            CarrierPool.@Nullable Found scheduler,
            ShutdownReportHook atExit,
            StartupGate first,
            boolean beside,
            @Nullable OtelSdk otelSdk,
            long beganNanos) {
        Buckets buckets = options.histogram() ? Buckets.FINE : Buckets.SINGLE;
        Ledger ledger =
                new Ledger(
                        installation.monitorsPin(),
                        options.stackThresholdNanos(),
                        new FramesOfInterest(options.stackDepth(), options.app()),
                        options.maxSites(),
                        buckets);
        ledger.startupGate(first);
        Sensors sensors = new Sensors();
        for (Map.Entry<Sensor, String> sensor : installation.sensors().entrySet()) {
            sensors.put(sensor.getKey().label(), sensor.getValue());
        }
        // hooks that relieve must know their compensator before they are called
        boolean unrelieved = options.relief() == 0;
        Thread proving =
                unrelieved ? proof(options, installation, scheduler, ledger, first, sensors) : null;
        if (beside && proving != null) {
            first.awaitHooks(MAX_PROOF_NANOS); // the application needs them, and the CPU
        }
        Relieved relieved = new Relieved();
        CarrierMonitoring watch =
                watch(options, installation, scheduler, ledger, sensors, relieved);
        ReliefController relieving =
                new ReliefController(installer.transformations(), watch, ledger);
        relieved.by = relieving;
        relieving.become(options);
        if (!unrelieved) {
            proving = proof(options, installation, scheduler, ledger, first, sensors);
        }
        DelayProbe delay =
                watch == null || options.delayProbeNanos() == 0
                        ? null
                        : new DelayProbe(
                                watch.pool(),
                                ledger.arrivals(),
                                options.delayProbeNanos(),
                                buckets);
        MeasurementSource measurements =
                MeasurementSource.of(
                        ledger, watch, delay, relieving, installation, sensors, beganNanos);
        ExporterManager exporters = new ExporterManager(options, atExit, measurements, otelSdk);
        exporters.watch();
        exporters.open();
        awaitProof(proving);
        exporters.start();
        return new AgentComponents(
                installer.transformations(), ledger, watch, relieving, exporters, proving);
    }

    /** Starts the hooks, and the thread that tests them; null if there are none. */
    private static @Nullable Thread proof(
            AgentOptions options,
            Installation installation,
            CarrierPool.@Nullable Found scheduler,
            Ledger ledger,
            StartupGate first,
            Sensors sensors) {
        boolean samples =
                scheduler != null
                        && scheduler.pool() != null
                        && CarrierMonitoring.samples(options.sampleIntervalNanos());
        return installation.carriers()
                ? AgentThread.start(
                        "vt-agent-self-test",
                        new Runnable() {
                            @Override
                            public void run() {
                                SelfTest.run(ledger, first, sensors, samples);
                            }
                        })
                : null;
    }

    private static void awaitProof(@Nullable Thread proving) {
        if (proving != null && !AgentThread.join(proving, MAX_PROOF_NANOS)) {
            AgentLog.debug("the sensors are not proved yet");
        }
    }

    /** The state of relief, whose controller is set later. */
    private static final class Relieved implements BooleanSupplier {
        private volatile @Nullable ReliefController by;

        @Override
        public boolean getAsBoolean() {
            ReliefController known = by;
            return known != null && known.isOn();
        }
    }

    private static @Nullable CarrierMonitoring watch(
            AgentOptions options,
            Installation installation,
            CarrierPool.@Nullable Found scheduler,
            Ledger ledger,
            Sensors sensors,
            BooleanSupplier relieved) {
        if (scheduler == null) {
            return null;
        }
        CarrierMonitoring.Settings settings =
                new CarrierMonitoring.Settings(
                        options.vmEvents() != AgentOptions.VmEventsMode.OFF,
                        options.vmEvents() == AgentOptions.VmEventsMode.AUTO,
                        options.sampleIntervalNanos(),
                        options.starvationAfterNanos(),
                        options.busyNanos(),
                        options.maxSites(),
                        relieved);
        return CarrierMonitoring.of(scheduler, ledger, sensors, settings, installation.isWrapped());
    }

    /**
     * Applies {@code wanted}, which differ from {@code before} in options that may change.
     *
     * @param then runs when the options are in force, even if the caller has stopped waiting
     * @return why that failed and which options are in force instead; null on success
     */
    @Nullable String become(AgentOptions before, AgentOptions wanted, Runnable then) {
        return exporters.become(
                before,
                wanted,
                () -> {
                    becomeInside(before, wanted);
                    then.run();
                });
    }

    private void becomeInside(AgentOptions before, AgentOptions wanted) {
        AgentLog.level(wanted.log());
        ledger.stackThreshold(wanted.stackThresholdNanos());
        if (watch != null) {
            watch.starvation().diagnoseAfter(wanted.starvationAfterNanos());
        }
        boolean otherRelief =
                before.relief() != wanted.relief()
                        || before.reliefWhenStuck() != wanted.reliefWhenStuck()
                        || before.starvationAfterNanos() != wanted.starvationAfterNanos();
        if (otherRelief) {
            relieving.become(wanted);
        }
    }

    /**
     * Ends the agent in a JVM that continues to run.
     *
     * @return what is left behind, as a continuation of a sentence; empty if nothing is
     */
    String end() {
        if (proving != null) {
            AgentThread.join(proving, MAX_END_NANOS);
        }
        VtAgentProbe.report(null);
        int changed = transformations.takeBack();
        if (watch != null) {
            watch.end();
        }
        exporters.end();
        boolean allEnded = AgentThread.endAll(MAX_END_NANOS);
        LockSupport.parkNanos(HOOKS_END_NANOS);
        int compensated = relieving.end();
        return (compensated == 0
                        ? ""
                        : "; relief had compensated "
                                + compensated
                                + (compensated == 1 ? " held carrier" : " held carriers")
                                + ", and no longer does: queued threads may have to wait until"
                                + " they are free")
                + (changed == 0
                        ? ""
                        : "; classes that were loaded with the agent keep blocks instead of"
                                + " `synchronized` methods, and with them the agent's class"
                                + " loader")
                + (allEnded ? "" : "; one of the agent's threads has not ended yet");
    }
}
