package io.vtagent.exporter.otel;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The SDK of OpenTelemetry's agent, inside of which this agent runs. Its classes and those of the
 * agent have different class loaders, so only types of the JDK pass between them.
 *
 * @param meters registers asynchronous instruments, each described by {@link #NAME}, {@link #TYPE},
 *     {@link #UNIT} and {@link #DESCRIPTION}. At each collection the SDK gets the values by name
 *     and tags. Closing the result removes the instruments
 * @param spans null if pins cannot become events of spans
 * @param noSpans why they cannot
 */
public record OtelSdk(
        BiFunction<
                        List<Map<String, String>>,
                        Supplier<Map<String, Map<Map<String, String>, Double>>>,
                        AutoCloseable>
                meters,
        @Nullable Spans spans,
        String noSpans) {
    /**
     * The spans of the SDK.
     *
     * @param context the context of the current thread
     * @param identity returns what identifies the span of a context; null for a span that is not
     *     recorded, whose end is not reported either
     * @param addEvent adds an event to the span of a context, if that has not ended. The event has
     *     the attributes of the map, besides {@link #ENDED_AT_NANOS}
     * @param beforeSpanEnds takes what returns the events of the span with an identity, and forgets
     *     them. It is called on the thread that ends that span; null for nothing any more
     */
    public record Spans(
            ThreadLocal<?> context,
            Function<Object, @Nullable Object> identity,
            BiConsumer<Object, Map<String, Object>> addEvent,
            Consumer<@Nullable Function<Object, List<Map<String, Object>>>> beforeSpanEnds) {}

    /** Keys of the parts of an SDK, by which {@link #of} finds them. */
    public static final String METERS = "meters";

    public static final String CONTEXT = "context";
    public static final String NO_SPANS = "noSpans";
    public static final String IDENTITY = "identity";
    public static final String ADD_EVENT = "addEvent";
    public static final String BEFORE_SPAN_ENDS = "beforeSpanEnds";

    /** Keys of an instrument. */
    public static final String NAME = "name";

    public static final String TYPE = "type";
    public static final String UNIT = "unit";
    public static final String DESCRIPTION = "description";

    /** Types of instruments. */
    public static final String COUNTER = "counter";

    public static final String GAUGE = "gauge";

    /** The name of the events. */
    public static final String EVENT = "vthread.pinned";

    /** The key of when a pin ended, on the scale of {@link System#nanoTime}. */
    public static final String ENDED_AT_NANOS = "endedAtNanos";

    /** Returns the SDK with {@code parts}, which have the keys above. */
    @SuppressWarnings("unchecked")
    public static OtelSdk of(Map<String, Object> parts) {
        return new OtelSdk(
                (BiFunction<
                                List<Map<String, String>>,
                                Supplier<Map<String, Map<Map<String, String>, Double>>>,
                                AutoCloseable>)
                        part(parts, METERS),
                parts.containsKey(NO_SPANS) ? null : spans(parts),
                (String) parts.getOrDefault(NO_SPANS, ""));
    }

    @SuppressWarnings("unchecked")
    private static Spans spans(Map<String, Object> parts) {
        return new Spans(
                (ThreadLocal<?>) part(parts, CONTEXT),
                (Function<Object, @Nullable Object>) part(parts, IDENTITY),
                (BiConsumer<Object, Map<String, Object>>) part(parts, ADD_EVENT),
                (Consumer<@Nullable Function<Object, List<Map<String, Object>>>>)
                        part(parts, BEFORE_SPAN_ENDS));
    }

    private static Object part(Map<String, Object> parts, String key) {
        return Objects.requireNonNull(parts.get(key), key);
    }
}
