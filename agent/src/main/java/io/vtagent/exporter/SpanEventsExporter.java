package io.vtagent.exporter;

import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.exporter.otel.SpanEvents;
import io.vtagent.ledger.Ledger;
import io.vtagent.log.AgentLog;
import io.vtagent.report.PinReport;
import org.jspecify.annotations.Nullable;

/**
 * Adds pins to the spans in which they happened, as events, if OpenTelemetry's agent has started
 * this agent.
 */
final class SpanEventsExporter implements Exporter {
    private static final String NONE = "otel-span-events has no effect: ";

    private final Ledger ledger;
    private final OtelSdk.@Nullable Spans spans;
    private final @Nullable SpanEvents events;
    private final String failure;

    /**
     * @param sdk the SDK of OpenTelemetry's agent; null if that has not started this agent
     * @param minNanos the shortest pin that becomes an event
     */
    SpanEventsExporter(Ledger ledger, @Nullable OtelSdk sdk, long minNanos) {
        this.ledger = ledger;
        spans = sdk == null ? null : sdk.spans();
        events = spans == null ? null : new SpanEvents(spans, minNanos);
        failure =
                NONE
                        + (sdk == null
                                ? "this agent is no extension of OpenTelemetry's agent, expected"
                                        + " -Dotel.javaagent.extensions=vt-agent-otel.jar"
                                : sdk.noSpans());
    }

    @Override
    public @Nullable String failure() {
        return events == null ? failure : null;
    }

    @Override
    public void begin() {
        if (spans != null && events != null) {
            events.warmUp();
            spans.beforeSpanEnds().accept(events);
            ledger.addListener(events);
            addSampled(events);
        } else {
            AgentLog.info(failure);
        }
    }

    private void addSampled(SpanEvents events) {
        try {
            Object unused = events.contextOf(Thread.currentThread());
            ledger.sampledPinListener(events);
        } catch (LinkageError unreadable) {
            AgentLog.info("otel-span-events omits sampled pins: " + unreadable);
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
        if (spans != null && events != null) {
            ledger.removeListener(events);
            ledger.sampledPinListener(null);
            spans.beforeSpanEnds().accept(null);
            events.addAll();
        }
    }
}
