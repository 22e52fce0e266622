package io.vtagent;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Installer;
import io.vtagent.instrument.SelfTest;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.outlet.Measurements;
import io.vtagent.outlet.Outlets;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.Sensors;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.watch.DelayProbe;
import io.vtagent.watch.Watch;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** Puts the agent together: sensors, ledger, and what is told of it. Can be linked only after the probe is defined. */
final class Assembly {
    /** How long the first line, and before {@code main} the application, waits for the sensors to be proved. */
    private static final long LONGEST_PROOF_NANOS = 1_000_000_000;

    private Assembly() {}

    static void run(AgentOptions options, Instrumentation instrumentation, boolean running, long beganNanos) {
        Installation installation = new Installer(instrumentation)
                .install(
                        options.relief() > 0,
                        options.wrapSynchronized(),
                        options.include(),
                        options.exclude(),
                        running);
        FramesOfInterest frames = new FramesOfInterest(options.stackDepth(), options.app());
        Buckets buckets = options.histogram() ? Buckets.FINE : Buckets.SINGLE;
        Ledger ledger = new Ledger(
                installation.monitorsPin(), options.stackThresholdNanos(), frames, options.maxSites(), buckets);
        Sensors sensors = new Sensors();
        installation.sensors().forEach((sensor, failure) -> sensors.put(sensor.label(), failure));
        Watch watch = watch(options, frames, installation, ledger, sensors);
        ReliefFigures relief = Relieving.begin(options, installation, watch, ledger);
        if (installation.carriers()) {
            prove(ledger, sensors);
        }
        DelayProbe delay = watch == null || options.delayProbeNanos() == 0
                ? null
                : new DelayProbe(watch.pool(), options.delayProbeNanos(), buckets);
        Measurements measurements = new Measurements(ledger, watch, delay, relief, installation, sensors, beganNanos);
        new Outlets(options, measurements).start();
    }

    private static void prove(Ledger ledger, Sensors sensors) {
        Thread proving = AgentThread.start("vt-agent-self-test", () -> SelfTest.run(ledger, sensors));
        if (!AgentThread.join(proving, LONGEST_PROOF_NANOS)) {
            AgentLog.debug("the sensors are not proved yet");
        }
    }

    private static @Nullable Watch watch(
            AgentOptions options, FramesOfInterest frames, Installation installation, Ledger ledger, Sensors sensors) {
        if (!installation.carriers()) {
            return null;
        }
        Watch.Settings settings = new Watch.Settings(
                options.vmEvents() != AgentOptions.VmEventsMode.OFF,
                options.vmEvents() == AgentOptions.VmEventsMode.AUTO,
                options.nativeSampleNanos(),
                options.starvationAfterNanos(),
                installation.monitorsPin(),
                frames,
                options.relief() > 0 || options.reliefWhenStuck());
        return Watch.of(ledger, sensors, settings, installation.isWrapped());
    }
}
