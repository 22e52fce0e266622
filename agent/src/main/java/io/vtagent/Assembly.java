package io.vtagent;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Installer;
import io.vtagent.options.AgentOptions;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.report.PinReport;
import java.lang.instrument.Instrumentation;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts the agent together: sensors, ledger, and what is told of it. Can be linked only after the probe is defined. */
final class Assembly {
    private Assembly() {}

    static void run(AgentOptions options, Instrumentation instrumentation, boolean running, long beganNanos) {
        Installation installation = new Installer(instrumentation)
                .install(options.wrapSynchronized(), options.include(), options.exclude(), running);
        Ledger ledger = new Ledger(
                installation.monitorsPin(),
                options.stackThresholdNanos(),
                options.stackDepth(),
                options.maxSites(),
                options.histogram() ? Buckets.FINE : Buckets.SINGLE);
        VtAgentProbe.report(ledger);
        new Telling(options, ledger, installation, jvm(installation), beganNanos).start(running);
    }

    private static PinReport.Jvm jvm(Installation installation) {
        String version = Assembly.class.getPackage().getImplementationVersion();
        Map<String, String> sensors = new LinkedHashMap<>();
        installation.sensors().forEach((sensor, failure) -> sensors.put(sensor.label(), failure));
        return new PinReport.Jvm(
                version == null ? "?" : version,
                System.getProperty("java.version"),
                installation.carriers(),
                installation.monitorsPin(),
                sensors);
    }
}
