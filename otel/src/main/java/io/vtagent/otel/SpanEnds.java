package io.vtagent.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.internal.ExtendedSpanProcessor;
import io.vtagent.exporter.otel.OtelSdk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds pins to spans as events. The pins of a span are added while it ends, on the thread that ends
 * it: that is after each of them, and never in a hook.
 */
final class SpanEnds
        implements ExtendedSpanProcessor,
                Consumer<@Nullable Function<Object, List<Map<String, Object>>>> {
    private volatile @Nullable Function<Object, List<Map<String, Object>>> events;

    /** Sets what returns the events of a span that ends; null for none. */
    @Override
    public void accept(@Nullable Function<Object, List<Map<String, Object>>> from) {
        events = from;
    }

    @Override
    public void onEnding(ReadWriteSpan span) {
        Function<Object, List<Map<String, Object>>> from = events;
        if (from == null) {
            return;
        }
        try {
            for (Map<String, Object> event : from.apply(span.getSpanContext())) {
                add(span, event);
            }
        } catch (RuntimeException | LinkageError | OutOfMemoryError failed) {
            // the application's span ends without them
        }
    }

    /**
     * Returns what identifies the span of a context, equal to what identifies it while it ends;
     * null for a span that is not recorded, whose end is not reported either.
     */
    static Function<Object, @Nullable Object> identity() {
        return context -> {
            Span span = spanOf(context);
            SpanContext its = span.getSpanContext();
            return its.isSampled() || span.isRecording() ? its : null;
        };
    }

    /** Returns what adds an event to the span of a context, unless that has ended. */
    static BiConsumer<Object, Map<String, Object>> adder() {
        return (context, event) -> add(spanOf(context), event);
    }

    private static Span spanOf(Object context) {
        return context instanceof Context ? Span.fromContext((Context) context) : Span.getInvalid();
    }

    private static void add(Span span, Map<String, Object> event) {
        if (!span.isRecording()) {
            return;
        }
        AttributesBuilder attributes = Attributes.builder();
        long endedAtNanos = System.nanoTime();
        for (Map.Entry<String, Object> each : event.entrySet()) {
            if (each.getValue() instanceof String) {
                attributes.put(each.getKey(), (String) each.getValue());
            } else if (each.getValue() instanceof Double) {
                attributes.put(each.getKey(), (Double) each.getValue());
            } else if (each.getKey().equals(OtelSdk.ENDED_AT_NANOS)) {
                endedAtNanos = (Long) each.getValue();
            }
        }
        long epochNanos = Clock.getDefault().now() - (System.nanoTime() - endedAtNanos);
        span.addEvent(OtelSdk.EVENT, attributes.build(), epochNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isOnEndingRequired() {
        return true;
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
        return false;
    }
}
