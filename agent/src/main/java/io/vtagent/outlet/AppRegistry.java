package io.vtagent.outlet;

import io.vtagent.bridge.Bridge;
import io.vtagent.bridge.Figures;
import io.vtagent.export.MicrometerLog;
import io.vtagent.metrics.AllMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.report.PinReport;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** The registry of the application's own Micrometer, if it brings one. */
final class AppRegistry implements Outlet {
    private final Measurements measurements;
    private final AgentOptions options;
    private final FoundMicrometer micrometer;
    private final Set<Class<?>> bridged = Collections.newSetFromMap(new WeakHashMap<>());
    private @Nullable Bridge bridge;

    AppRegistry(Measurements measurements, AgentOptions options, FoundMicrometer micrometer) {
        this.measurements = measurements;
        this.options = options;
        this.micrometer = micrometer;
    }

    @Override
    public void begin() {
        bridge();
    }

    @Override
    public void tell(PinReport report) {
        if (bridge != null) {
            bridge.update();
        }
        bridge();
    }

    /** Which fails for want of memory, perhaps; then it is tried again the next time. */
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

    private Figures figures() {
        MicrometerLog.install();
        AllMeters meters = Meters.all(measurements, options, options.appRegistrySites());
        return meters.orClosed(() -> new Figures(options.tags(), meters));
    }

    @Override
    public void end() {
        if (bridge != null) {
            bridge.close();
            bridge = null;
        }
    }
}
