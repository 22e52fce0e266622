package io.vtagent.exporter;

import io.vtagent.exporter.otel.OtelMeters;
import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.log.AgentLog;
import io.vtagent.metrics.AllMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.report.PinReport;
import io.vtagent.thread.Shutdown;
import org.jspecify.annotations.Nullable;

/** Exports all meters to the SDK of the OpenTelemetry agent that has started this one. */
final class OtelMetersExporter implements Exporter {
    private final AgentOptions options;
    private final OtelSdk sdk;
    private final MeasurementSource measurements;
    private @Nullable OtelMeters meters;

    OtelMetersExporter(AgentOptions options, OtelSdk sdk, MeasurementSource measurements) {
        this.options = options;
        this.sdk = sdk;
        this.measurements = measurements;
    }

    /** Registers the meters early: a short job ends before exporters begin. */
    @Override
    public void open() {
        try {
            begin();
        } catch (OutOfMemoryError | RuntimeException | LinkageError later) {
            AgentLog.debug("OpenTelemetry does not have the meters yet:", later);
        }
    }

    @Override
    public void begin() {
        if (meters == null) {
            AllMeters all = Meters.all(measurements, options, true);
            meters = all.orClosed(() -> new OtelMeters(sdk, options.tags(), all, this::collect));
        }
        meters.register();
    }

    /** Also counts, when the JVM ends and the SDK collects for the last time, what is left. */
    private void collect() {
        if (Shutdown.hasBegun()) {
            measurements.awaitShutdown();
        }
        measurements.collect();
    }

    @Override
    public void publish(PinReport report) {
        if (meters != null) {
            meters.register();
        }
    }

    @Override
    public void end() {
        if (meters != null) {
            meters.close();
        }
    }
}
