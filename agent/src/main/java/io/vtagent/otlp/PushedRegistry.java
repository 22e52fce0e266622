package io.vtagent.otlp;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.CompressionMode;
import io.micrometer.registry.otlp.HistogramFlavor;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import io.vtagent.export.MicrometerLog;
import io.vtagent.metrics.AgentMeterBinder;
import io.vtagent.thread.AgentThread;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Micrometer's OTLP registry, which publishes when it is told to, and to what it is given. For one thread. */
final class PushedRegistry implements AutoCloseable {
    private final OtlpMeterRegistry registry;
    private final AgentMeterBinder meters;
    private final Method publish;
    private @Nullable IOException failure;

    /** Takes a message. */
    interface Sink {
        void send(byte[] message) throws IOException;
    }

    /** Nothing of it is asked of the environment, where Micrometer would look else, and it has no secrets, which Micrometer would log. */
    private record Config(Map<String, String> resourceAttributes, Duration step) implements OtlpConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        /** Not on a schedule of its own. */
        @Override
        public boolean enabled() {
            return false;
        }

        @Override
        public String url() {
            return "http://unused";
        }

        @Override
        public AggregationTemporality aggregationTemporality() {
            return AggregationTemporality.CUMULATIVE;
        }

        @Override
        public CompressionMode compressionMode() {
            return CompressionMode.NONE;
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public HistogramFlavor histogramFlavor() {
            return HistogramFlavor.EXPLICIT_BUCKET_HISTOGRAM;
        }

        /** As the conventions of OpenTelemetry have it, and {@code /metrics}. */
        @Override
        public TimeUnit baseTimeUnit() {
            return TimeUnit.SECONDS;
        }
    }

    PushedRegistry(OtlpSettings settings, Map<String, String> tags, AgentMeterBinder meters, Sink sink) {
        this.meters = meters;
        MicrometerLog.install();
        OtlpMetricsSender sender = request -> send(sink, request.getMetricsData());
        registry = OtlpMeterRegistry.builder(new Config(settings.resource(), Duration.ofNanos(settings.everyNanos())))
                .threadFactory(task -> AgentThread.unstarted("vt-agent-otlp-unused", task))
                .metricsSender(sender)
                .build();
        try {
            // protected, and the constructors that a subclass could call take no sender
            publish = OtlpMeterRegistry.class.getDeclaredMethod("publish");
            publish.setAccessible(true);
        } catch (NoSuchMethodException another) {
            throw new LinkageError("this version of Micrometer has no publish()", another);
        }
        registry.config()
                .commonTags(tags.entrySet().stream()
                        .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                        .toList());
        meters.bindTo(registry);
    }

    /** The time of day in nanoseconds, as the messages have it. */
    static long epochNanos() {
        return TimeUnit.MILLISECONDS.toNanos(Clock.SYSTEM.wallTime());
    }

    /** What is thrown here, Micrometer would log. It has several messages where there are very many meters: what one cannot do, the next cannot. */
    private void send(Sink sink, byte[] message) {
        if (failure != null) {
            return;
        }
        try {
            sink.send(message);
        } catch (IOException failed) {
            failure = failed;
        } catch (RuntimeException | LinkageError failed) {
            failure = new IOException(failed);
        }
    }

    /** @throws IOException what {@link Sink#send} has thrown */
    void push() throws IOException {
        failure = null;
        meters.refresh();
        try {
            publish.invoke(registry);
        } catch (InvocationTargetException | IllegalAccessException failed) {
            throw new IOException(failed.getCause() == null ? failed : failed.getCause());
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() {
        meters.close();
        registry.close();
    }
}
