package io.vtagent.exporter;

import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.exporter.otel.SpanEvents;
import io.vtagent.log.AgentLog;
import io.vtagent.record.Ledger;
import io.vtagent.report.PinReport;
import org.jspecify.annotations.Nullable;

/**
 * Adds pins to the spans in which they happened, as events, if OpenTelemetry's agent has started
 * this agent.
 */
final class SpanEventsExporter implements Exporter {
    private static final String NONE = "otel-span-events has no effect: ";

    private final Ledger ledger;
    private final @Nullable OtelSdk sdk;
    private final @Nullable SpanEvents events;

    /**
     * @param sdk the SDK of OpenTelemetry's agent; null if that has not started this agent
     * @param minNanos the shortest pin that becomes an event
     */
    SpanEventsExporter(Ledger ledger, @Nullable OtelSdk sdk, long minNanos) {
        this.ledger = ledger;
        this.sdk = sdk;
        ThreadLocal<?> context = sdk == null ? null : sdk.context();
        events = sdk == null || context == null ? null : new SpanEvents(sdk, context, minNanos);
    }

    @Override
    public @Nullable String failure() {
        if (events != null) {
            return null;
        }
        return NONE
                + (sdk == null
                        ? "this agent is no extension of OpenTelemetry's agent, expected"
                                + " -Dotel.javaagent.extensions=vt-agent-otel.jar"
                        : sdk.noContext());
    }

    @Override
    public void begin() {
        if (sdk != null && events != null) {
            events.warmUp();
            sdk.beforeSpanEnds().accept(events);
            ledger.addListener(events);
        } else {
            AgentLog.info(String.valueOf(failure()));
        }
    }

    @Override
    public void publish(PinReport report) {
        onIdle();
    }

    @Override
    public void onIdle() {
        if (events != null) {
            events.addOverdue();
        }
    }

    @Override
    public void end() {
        if (sdk != null && events != null) {
            ledger.removeListener(events);
            sdk.beforeSpanEnds().accept(null);
            events.addAll();
        }
    }
}
