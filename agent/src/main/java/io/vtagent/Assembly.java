package io.vtagent;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Installer;
import io.vtagent.instrument.SelfTest;
import io.vtagent.instrument.Transformations;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.outlet.AtExit;
import io.vtagent.outlet.Measurements;
import io.vtagent.outlet.Outlets;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.record.Buckets;
import io.vtagent.record.FirstCarrier;
import io.vtagent.record.Ledger;
import io.vtagent.record.Sensors;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.watch.DelayProbe;
import io.vtagent.watch.Watch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent's parts, put together and taken apart: sensors, ledger, and what is told of it. Can be linked only after the probe is defined.
 *
 * @param watch null where there are no carriers to watch
 * @param proving the thread that tests the sensors; null where there are none
 */
record Assembly(
        Transformations transformations,
        Ledger ledger,
        @Nullable Watch watch,
        Relieving relieving,
        Outlets outlets,
        @Nullable Thread proving) {
    /** How long the first line, and with it the application's first virtual thread, waits for the sensors to be proved. */
    private static final long LONGEST_PROOF_NANOS = 1_000_000_000;

    /** How long whoever detaches the agent waits for each of its parts. */
    private static final long LONGEST_END_NANOS = 10_000_000_000L;

    /** A hook that was called before the sensors were told nothing more has come to its end by then. */
    private static final long HOOKS_END_NANOS = 20_000_000;

    /** Has the JVM be as before, after a {@code failure}. */
    static void takeBack(Transformations transformations, Throwable failure) {
        try {
            VtAgentProbe.report(null);
            int unused = transformations.takeBack();
            boolean unusedToo = AgentThread.endAll(LONGEST_END_NANOS);
        } catch (Throwable another) {
            failure.addSuppressed(another);
        }
    }

    /**
     * Puts together what {@code installer} has installed, and has it begin.
     *
     * @param scheduler the application's; null if there are no carriers
     * @param first is to be told of carriers
     */
    static Assembly of(
            AgentOptions options,
            Installer installer,
            Installation installation,
            CarrierPool.@Nullable Found scheduler,
            AtExit atExit,
            FirstCarrier first,
            long beganNanos) {
        FramesOfInterest frames = new FramesOfInterest(options.stackDepth(), options.app());
        Buckets buckets = options.histogram() ? Buckets.FINE : Buckets.SINGLE;
        Ledger ledger = new Ledger(
                installation.monitorsPin(), options.stackThresholdNanos(), frames, options.maxSites(), buckets);
        ledger.first(first);
        Sensors sensors = new Sensors();
        installation.sensors().forEach((sensor, failure) -> sensors.put(sensor.label(), failure));
        Relieved relieved = new Relieved();
        Watch watch = watch(options, frames, installation, scheduler, ledger, sensors, relieved);
        Relieving relieving = new Relieving(installer.transformations(), watch, ledger);
        relieved.by = relieving;
        relieving.become(options);
        // meanwhile the outlets open
        Thread proving = installation.carriers()
                ? AgentThread.start(
                        "vt-agent-self-test", () -> SelfTest.run(ledger, sensors, watch != null && watch.samples()))
                : null;
        DelayProbe delay = watch == null || options.delayProbeNanos() == 0
                ? null
                : new DelayProbe(watch.pool(), ledger.arrivals(), options.delayProbeNanos(), buckets);
        Measurements measurements =
                new Measurements(ledger, watch, delay, relieving, installation, sensors, beganNanos);
        Outlets outlets = new Outlets(options, atExit, measurements);
        outlets.open();
        if (proving != null && !AgentThread.join(proving, LONGEST_PROOF_NANOS)) {
            AgentLog.debug("the sensors are not proved yet");
        }
        outlets.start();
        return new Assembly(installer.transformations(), ledger, watch, relieving, outlets, proving);
    }

    /** Whether somebody adds carriers, who is known later. */
    private static final class Relieved implements BooleanSupplier {
        private volatile @Nullable Relieving by;

        @Override
        public boolean getAsBoolean() {
            Relieving known = by;
            return known != null && known.isOn();
        }
    }

    private static @Nullable Watch watch(
            AgentOptions options,
            FramesOfInterest frames,
            Installation installation,
            CarrierPool.@Nullable Found scheduler,
            Ledger ledger,
            Sensors sensors,
            BooleanSupplier relieved) {
        if (scheduler == null) {
            return null;
        }
        Watch.Settings settings = new Watch.Settings(
                options.vmEvents() != AgentOptions.VmEventsMode.OFF,
                options.vmEvents() == AgentOptions.VmEventsMode.AUTO,
                options.nativeSampleNanos(),
                options.starvationAfterNanos(),
                installation.monitorsPin(),
                frames,
                relieved);
        return Watch.of(scheduler, ledger, sensors, settings, installation.isWrapped());
    }

    /**
     * Does from now on as {@code wanted} say, which differ from {@code before} in options that may change.
     *
     * @return why that cannot be, in which case nothing has changed; null if it can
     */
    @Nullable
    String become(AgentOptions before, AgentOptions wanted) {
        String failure = outlets.become(before, wanted);
        if (failure != null) {
            return failure;
        }
        AgentLog.level(wanted.log());
        ledger.stackThreshold(wanted.stackThresholdNanos());
        if (watch != null) {
            watch.starvation().diagnoseAfter(wanted.starvationAfterNanos());
        }
        boolean otherRelief = before.relief() != wanted.relief()
                || before.reliefWhenStuck() != wanted.reliefWhenStuck()
                || before.starvationAfterNanos() != wanted.starvationAfterNanos();
        if (otherRelief) {
            relieving.become(wanted);
        }
        return null;
    }

    /**
     * Ends the agent in a JVM that goes on.
     *
     * @return what is left behind, to follow a sentence; empty if that is nothing
     */
    String end() {
        if (proving != null) {
            AgentThread.join(proving, LONGEST_END_NANOS);
        }
        VtAgentProbe.report(null);
        int changed = transformations.takeBack();
        if (watch != null) {
            watch.end();
        }
        outlets.end();
        boolean allEnded = AgentThread.endAll(LONGEST_END_NANOS);
        LockSupport.parkNanos(HOOKS_END_NANOS);
        int madeUpFor = relieving.end();
        return (madeUpFor == 0
                        ? ""
                        : "; relief had made up for " + madeUpFor
                                + (madeUpFor == 1 ? " held carrier" : " held carriers")
                                + ", and does not any more: what is queued may have to wait until they are free")
                + (changed == 0
                        ? ""
                        : "; the blocks in place of `synchronized` methods stay in classes that were loaded with the agent,"
                                + " and with them its class loader")
                + (allEnded ? "" : "; a thread of the agent's has not ended yet");
    }
}
