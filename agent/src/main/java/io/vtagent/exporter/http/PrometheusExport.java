package io.vtagent.exporter.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.vtagent.exporter.http.Content.Page;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The agent's own Prometheus registry. Thread-safe. */
public final class PrometheusExport {
    private static final ExpositionFormats FORMATS = ExpositionFormats.init();

    private final PrometheusMeterRegistry registry;
    private final Runnable beforeScrape;

    /**
     * @param tags the tags of every meter
     * @param beforeScrape brings the meters up to date
     */
    public PrometheusExport(Map<String, String> tags, MeterBinder meters, Runnable beforeScrape) {
        MicrometerLog.install();
        this.beforeScrape = beforeScrape;
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        MeterRegistry.Config config = registry.config();
        config.commonTags(
                tags.entrySet().stream().map(tag -> Tag.of(tag.getKey(), tag.getValue())).toList());
        meters.bindTo(registry);
    }

    /**
     * Returns the meters in the format that {@code accept} asks for: OpenMetrics or Prometheus
     * text.
     */
    public Page scrape(@Nullable String accept) {
        beforeScrape.run();
        ExpositionFormatWriter format = FORMATS.findWriter(accept);
        String contentType = format.getContentType();
        return new Page(contentType, registry.scrape(contentType));
    }
}
