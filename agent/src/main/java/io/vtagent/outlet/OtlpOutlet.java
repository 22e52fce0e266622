package io.vtagent.outlet;

import io.vtagent.log.AgentLog;
import io.vtagent.metrics.AllMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.OtlpUrl;
import io.vtagent.otlp.OtlpPush;
import io.vtagent.report.PinReport;
import org.jspecify.annotations.Nullable;

/** Pushes all meters to an OTLP receiver, for the last time when the JVM ends. */
final class OtlpOutlet implements Outlet {
    private final AgentOptions options;
    private final OtlpUrl url;
    private final Measurements measurements;
    private final Thread atTheEnd;
    private @Nullable Started started;

    private record Started(OtlpPush push, AllMeters meters) {}

    OtlpOutlet(AgentOptions options, OtlpUrl url, Measurements measurements) {
        this.options = options;
        this.url = url;
        this.measurements = measurements;
        atTheEnd = Thread.ofPlatform()
                .name("vt-agent-otlp-end")
                .inheritInheritableThreadLocals(false)
                .unstarted(this::pushLast);
    }

    @Override
    public void open() {
        Runtime.getRuntime().addShutdownHook(atTheEnd);
    }

    @Override
    public void begin() {
        Started unused = started();
    }

    /** Also by the hook: a short job may have ended before it has begun here. */
    private synchronized Started started() {
        Started known = started;
        if (known == null) {
            AllMeters meters = Meters.all(measurements, options, true);
            OtlpPush.Pushed pushed = new OtlpPush.Pushed(
                    options.tags(),
                    meters,
                    () -> {
                        measurements.collect();
                        meters.refresh();
                    },
                    measurements.jvm().agent(),
                    measurements.uptimeNanos());
            known = new Started(new OtlpPush(url, pushed, System.getenv()), meters);
            started = known;
        }
        return known;
    }

    @Override
    public void tell(PinReport report) {
        started().push.look();
    }

    /** The application's handler of uncaught exceptions is not for the agent's. */
    private void pushLast() {
        try {
            measurements.awaitShutdown();
            started().push.end();
        } catch (Throwable failed) {
            AgentLog.error("the last metrics are not pushed: " + failed);
        }
    }

    @Override
    public void end() {
        try {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        } catch (IllegalStateException already) {
            return; // the hook does it
        }
        Started known = started();
        known.push.end();
        known.meters.close();
    }
}
