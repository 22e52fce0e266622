package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The metrics of one request.
 *
 * @param resource its attributes
 * @param scope its name
 */
record OtlpMetrics(Map<String, String> resource, String scope, List<Point> points) {

    /**
     * One value.
     *
     * @param count of a histogram, else 0
     * @param value or the sum of a histogram
     * @param buckets the sum of the counts in its buckets, of which there may be none
     * @param startNanos since when it is counted, 0 for a gauge
     */
    record Point(
            String name,
            String type,
            String unit,
            Map<String, String> tags,
            long count,
            double value,
            long buckets,
            int bounds,
            long startNanos) {}

    static OtlpMetrics of(ExportMetricsServiceRequest request) {
        assertThat(request.getResourceMetricsCount()).isEqualTo(1);
        ResourceMetrics ofResource = request.getResourceMetrics(0);
        assertThat(ofResource.getScopeMetricsCount()).isEqualTo(1);
        return of(ofResource, ofResource.getScopeMetrics(0));
    }

    /** Those of the scope named {@code scope}, of which there may be none. */
    static OtlpMetrics of(ExportMetricsServiceRequest request, String scope) {
        for (ResourceMetrics ofResource : request.getResourceMetricsList()) {
            for (ScopeMetrics ofScope : ofResource.getScopeMetricsList()) {
                if (ofScope.getScope().getName().equals(scope)) {
                    return of(ofResource, ofScope);
                }
            }
        }
        return new OtlpMetrics(Map.of(), scope, List.of());
    }

    private static OtlpMetrics of(ResourceMetrics ofResource, ScopeMetrics ofScope) {
        List<Point> points = new ArrayList<>();
        for (Metric metric : ofScope.getMetricsList()) {
            assertThat(metric.getDescription()).isNotBlank();
            add(metric, points);
        }
        return new OtlpMetrics(
                map(ofResource.getResource().getAttributesList()),
                ofScope.getScope().getName(),
                points);
    }

    private static void add(Metric metric, List<Point> to) {
        switch (metric.getDataCase()) {
            case GAUGE ->
                    metric.getGauge()
                            .getDataPointsList()
                            .forEach(point -> to.add(number(metric, point)));
            case SUM -> {
                assertThat(metric.getSum().getAggregationTemporality())
                        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
                assertThat(metric.getSum().getIsMonotonic()).isTrue();
                metric.getSum().getDataPointsList().forEach(point -> to.add(number(metric, point)));
            }
            case HISTOGRAM -> {
                assertThat(metric.getHistogram().getAggregationTemporality())
                        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
                metric.getHistogram()
                        .getDataPointsList()
                        .forEach(point -> to.add(histogram(metric, point)));
            }
            default -> throw new AssertionError(metric);
        }
    }

    private static Point number(Metric metric, NumberDataPoint point) {
        return new Point(
                metric.getName(),
                metric.getDataCase().name(),
                metric.getUnit(),
                map(point.getAttributesList()),
                0,
                point.getAsDouble(),
                0,
                0,
                point.getStartTimeUnixNano());
    }

    private static Point histogram(Metric metric, HistogramDataPoint point) {
        return new Point(
                metric.getName(),
                metric.getDataCase().name(),
                metric.getUnit(),
                map(point.getAttributesList()),
                point.getCount(),
                point.getSum(),
                point.getBucketCountsList().stream().mapToLong(Long::longValue).sum(),
                point.getExplicitBoundsCount(),
                point.getStartTimeUnixNano());
    }

    private static Map<String, String> map(List<KeyValue> attributes) {
        Map<String, String> map = new TreeMap<>();
        for (KeyValue attribute : attributes) {
            assertThat(map.put(attribute.getKey(), attribute.getValue().getStringValue()))
                    .as(attribute.getKey() + " once")
                    .isNull();
        }
        return map;
    }

    /** By name, type and unit, the tags. */
    Map<String, Set<String>> contract() {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Point point : points) {
            found.computeIfAbsent(
                            point.name + " " + point.type + " " + point.unit,
                            key -> new TreeSet<>())
                    .addAll(point.tags.keySet());
        }
        return found;
    }

    /** Those named {@code name} with the tags, a key and a value each. */
    List<Point> those(String name, String... tags) {
        return points.stream()
                .filter(point -> point.name.equals(name))
                .filter(
                        point -> {
                            for (int i = 0; i < tags.length; i += 2) {
                                if (!tags[i + 1].equals(point.tags.get(tags[i]))) {
                                    return false;
                                }
                            }
                            return true;
                        })
                .toList();
    }

    long count(String name, String... tags) {
        return those(name, tags).stream().mapToLong(Point::count).sum();
    }

    double sum(String name, String... tags) {
        return those(name, tags).stream().mapToDouble(Point::value).sum();
    }
}
