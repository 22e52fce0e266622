package io.vtagent.exporter.otlp;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;

/**
 * Adds the agent's scope and the start time to Micrometer's messages, and names the unit of times
 * as OpenTelemetry does. Counting starts when the agent begins, not when Micrometer registers a
 * meter, which has a value by then.
 */
final class ResourceDecorator {
    private static final String SDK_VERSION = "telemetry.sdk.version";
    private static final String MICROMETER_SECONDS = "seconds";
    private static final String SECONDS = "s";

    private final InstrumentationScope scope;
    private final long beganEpochNanos;

    ResourceDecorator(String version, long beganEpochNanos) {
        scope = InstrumentationScope.newBuilder().setName("io.vtagent").setVersion(version).build();
        this.beganEpochNanos = beganEpochNanos;
    }

    byte[] addTo(byte[] message) throws IOException {
        ExportMetricsServiceRequest.Builder request =
                ExportMetricsServiceRequest.newBuilder().mergeFrom(message);
        for (ResourceMetrics.Builder ofResource : request.getResourceMetricsBuilderList()) {
            leaveOutVersion(ofResource.getResourceBuilder());
            for (ScopeMetrics.Builder ofScope : ofResource.getScopeMetricsBuilderList()) {
                ofScope.setScope(scope);
                ofScope.getMetricsBuilderList().forEach(this::begin);
            }
        }
        return request.build().toByteArray();
    }

    /**
     * Removes the SDK version: Micrometer takes it from the jar, and there it is the agent's
     * version.
     */
    private static void leaveOutVersion(Resource.Builder resource) {
        for (int i = resource.getAttributesCount() - 1; i >= 0; i--) {
            if (resource.getAttributes(i).getKey().equals(SDK_VERSION)) {
                resource.removeAttributes(i);
            }
        }
    }

    private void begin(Metric.Builder metric) {
        if (metric.getUnit().equals(MICROMETER_SECONDS)) {
            metric.setUnit(SECONDS);
        }
        switch (metric.getDataCase()) {
            case SUM -> metric.getSumBuilder().getDataPointsBuilderList().forEach(this::begin);
            case HISTOGRAM ->
                    metric.getHistogramBuilder().getDataPointsBuilderList().forEach(this::begin);
            default -> {} // has no start time
        }
    }

    /**
     * Sets the start time, which must not be later than the point's: the clock may have been set
     * back.
     */
    private void begin(NumberDataPoint.Builder point) {
        point.setStartTimeUnixNano(Math.min(beganEpochNanos, point.getTimeUnixNano()));
    }

    private void begin(HistogramDataPoint.Builder point) {
        point.setStartTimeUnixNano(Math.min(beganEpochNanos, point.getTimeUnixNano()));
    }
}
