package io.vtagent.exporter;

import io.vtagent.exporter.bridge.Bridge;
import io.vtagent.exporter.bridge.CachedMeterRegistry;
import io.vtagent.exporter.http.MicrometerLog;
import io.vtagent.metrics.AllMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.report.PinReport;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** Exports the meters to the registry of the application's own Micrometer, if there is one. */
final class AppRegistry implements Exporter {
    private final MeasurementSource measurements;
    private final AgentOptions options;
    private final MicrometerInstances micrometer;
    private final Set<Class<?>> bridged = Collections.newSetFromMap(new WeakHashMap<>());
    private @Nullable Bridge bridge;

    AppRegistry(
            MeasurementSource measurements, AgentOptions options, MicrometerInstances micrometer) {
        this.measurements = measurements;
        this.options = options;
        this.micrometer = micrometer;
    }

    @Override
    public void begin() {
        bridge();
    }

    @Override
    public void publish(PinReport report) {
        if (bridge != null) {
            bridge.update();
        }
        bridge();
    }

    /** May fail with {@code OutOfMemoryError}; the next tick retries. */
    private void bridge() {
        for (Class<?> found : micrometer.all()) {
            if (!bridged.contains(found)) {
                if (bridge == null) {
                    bridge = new Bridge(this::figures);
                }
                bridge.add(found);
                bridged.add(found);
            }
        }
    }

    private CachedMeterRegistry figures() {
        MicrometerLog.install();
        AllMeters meters = Meters.all(measurements, options, options.appRegistrySites());
        return meters.orClosed(() -> new CachedMeterRegistry(options.tags(), meters));
    }

    @Override
    public void end() {
        if (bridge != null) {
            bridge.close();
            bridge = null;
        }
    }
}
