package io.vtagent.exporter;

import io.vtagent.exporter.otlp.OtlpPush;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.OtlpUrl;
import io.vtagent.report.PinReport;
import io.vtagent.thread.Shutdown;
import org.jspecify.annotations.Nullable;

/** Pushes all meters to an OTLP receiver, with a last push when the JVM ends. */
final class OtlpExporter implements Exporter {
    private final AgentOptions options;
    private final OtlpUrl url;
    private final MeasurementSource measurements;
    private final Thread atTheEnd;
    private @Nullable OtlpPush started;

    OtlpExporter(AgentOptions options, OtlpUrl url, MeasurementSource measurements) {
        this.options = options;
        this.url = url;
        this.measurements = measurements;
        atTheEnd =
                Thread.ofPlatform()
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

    /**
     * Starts the push if needed. The shutdown hook calls this too, because a short job may end
     * before this exporter has begun.
     */
    private synchronized OtlpPush started() {
        OtlpPush known = started;
        if (known == null) {
            OtlpPush.Pushed pushed =
                    new OtlpPush.Pushed(
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
    public void publish(PinReport report) {
        onIdle();
    }

    @Override
    public void onIdle() {
        started().abortIfOverdue();
    }

    /**
     * Pushes for the last time and logs any failure, which must not reach the application's handler
     * of uncaught exceptions.
     */
    private void pushLast() {
        boolean completed =
                Shutdown.completes(
                        () -> {
                            try {
                                measurements.awaitShutdown();
                                started().end();
                            } catch (Throwable failed) {
                                AgentLog.error("the last metrics were not pushed: " + failed);
                            }
                        });
        if (!completed) {
            AgentLog.error(
                    "the last metrics were not pushed within " + Shutdown.MAX_SECONDS + " s");
        }
    }

    @Override
    public void end() {
        try {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        } catch (IllegalStateException already) {
            return; // the hook pushes
        }
        started().end();
    }
}
