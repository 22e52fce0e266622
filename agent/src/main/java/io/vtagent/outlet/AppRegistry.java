package io.vtagent.outlet;

import io.vtagent.bridge.Bridge;
import io.vtagent.bridge.Figures;
import io.vtagent.export.MicrometerLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.report.PinReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The registry of the application's own Micrometer, if it brings one. */
final class AppRegistry implements Outlet {
    private final Measurements measurements;
    private final AgentOptions options;
    private final FoundMicrometer micrometer;
    private @Nullable Bridge bridge;

    AppRegistry(Measurements measurements, AgentOptions options, FoundMicrometer micrometer) {
        this.measurements = measurements;
        this.options = options;
        this.micrometer = micrometer;
    }

    @Override
    public void begin() {
        bridgeTo(micrometer.all());
    }

    @Override
    public void tell(PinReport report) {
        bridgeTo(micrometer.next());
        if (bridge != null) {
            bridge.update();
        }
    }

    private void bridgeTo(List<Class<?>> found) {
        if (bridge == null && !found.isEmpty()) {
            bridge = new Bridge(this::figures);
        }
        if (bridge != null) {
            found.forEach(bridge::add);
        }
    }

    private Figures figures() {
        MicrometerLog.install();
        return new Figures(options.tags(), Meters.all(measurements, options, options.appRegistrySites()));
    }

    @Override
    public void end() {
        if (bridge != null) {
            bridge.close();
            bridge = null;
        }
    }
}
