package io.vtagent.exporter.otlp;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.CompressionMode;
import io.micrometer.registry.otlp.HistogramFlavor;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import io.vtagent.exporter.http.MicrometerLog;
import io.vtagent.metrics.AgentMeterBinder;
import io.vtagent.thread.AgentThread;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Micrometer's OTLP registry, which publishes on request and to a given sink. For one thread. */
final class PushedRegistry implements AutoCloseable {
    private final OtlpMeterRegistry registry;
    private final AgentMeterBinder meters;
    private final Method publish;
    private @Nullable IOException failure;

    /** Receives the messages. */
    interface Sink {
        void send(byte[] message) throws IOException;
    }

    /**
     * A configuration that reads nothing from the environment, as Micrometer would by default, and
     * holds no secrets, which Micrometer would log.
     */
    private record Config(Map<String, String> resourceAttributes, Duration step)
            implements OtlpConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        /** Returns false, which turns off Micrometer's own schedule. */
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

        /** Returns the unit of OpenTelemetry's conventions and of {@code /metrics}. */
        @Override
        public TimeUnit baseTimeUnit() {
            return TimeUnit.SECONDS;
        }
    }

    PushedRegistry(
            OtlpSettings settings, Map<String, String> tags, AgentMeterBinder meters, Sink sink) {
        this.meters = meters;
        MicrometerLog.install();
        OtlpMetricsSender sender = request -> send(sink, request.getMetricsData());
        registry =
                OtlpMeterRegistry.builder(
                                new Config(
                                        settings.resource(),
                                        Duration.ofNanos(settings.everyNanos())))
                        .threadFactory(task -> AgentThread.unstarted("vt-agent-otlp-unused", task))
                        .metricsSender(sender)
                        .build();
        try {
            // the method is protected, and the constructors for subclasses accept no sender
            publish = OtlpMeterRegistry.class.getDeclaredMethod("publish");
            publish.setAccessible(true);
        } catch (NoSuchMethodException another) {
            throw new LinkageError("this version of Micrometer has no publish()", another);
        }
        registry.config()
                .commonTags(
                        tags.entrySet().stream()
                                .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                                .toList());
        meters.bindTo(registry);
    }

    /** Returns the time of day in nanoseconds since the epoch, as used in the messages. */
    static long epochNanos() {
        return TimeUnit.MILLISECONDS.toNanos(Clock.SYSTEM.wallTime());
    }

    /**
     * Sends one message and keeps a failure, which Micrometer would log if it were thrown here.
     * Micrometer sends several messages if there are very many meters; after a failure the
     * remaining ones are skipped, because they would fail too.
     */
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

    /**
     * @throws IOException the failure of {@link Sink#send}
     */
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
