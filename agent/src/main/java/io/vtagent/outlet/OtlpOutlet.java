package io.vtagent.outlet;

import io.vtagent.log.AgentLog;
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
    private @Nullable OtlpPush started;

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
        OtlpPush unused = started();
    }

    /** Also by the hook: a short job may have ended before it has begun here. */
    private synchronized OtlpPush started() {
        OtlpPush known = started;
        if (known == null) {
            OtlpPush.Pushed pushed = new OtlpPush.Pushed(
                    options.tags(),
                    () -> Meters.all(measurements, options, true),
                    measurements::collect,
                    measurements.jvm().agent(),
                    measurements.uptimeNanos());
            known = new OtlpPush(url, pushed, System.getenv());
            started = known;
        }
        return known;
    }

    @Override
    public void tell(PinReport report) {
        rest();
    }

    @Override
    public void rest() {
        started().look();
    }

    /** The application's handler of uncaught exceptions is not for the agent's. */
    private void pushLast() {
        try {
            measurements.awaitShutdown();
            started().end();
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
        started().end();
    }
}
