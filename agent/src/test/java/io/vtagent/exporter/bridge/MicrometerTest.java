package io.vtagent.exporter.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests with the Micrometer of this build as if it were the application's. */
class MicrometerTest {
    @Test
    void aTimerThatItsRegistryDoesNotHaveYetIsMadeWithItsDescriptionAndItsBuckets()
            throws Exception {
        DistributionStatisticConfig buckets =
                DistributionStatisticConfig.builder()
                        .percentilesHistogram(true)
                        .minimumExpectedValue((double) Duration.ofMillis(1).toNanos())
                        .maximumExpectedValue((double) Duration.ofSeconds(1).toNanos())
                        .build();
        Meter.Id id =
                new Meter.Id(
                        "a.timer", Tags.of("kind", "park"), null, "what it says", Meter.Type.TIMER);
        CachedMeter.OfEach figure = new CachedMeter.OfEach(new BufferingTimer(id, buckets));
        Micrometer micrometer = new Micrometer(Metrics.class);
        Object global = micrometer.register(figure);
        // as one that the application is just adding: in the global registry's list, but not with
        // its meters yet
        PrometheusMeterRegistry leaf =
                new PrometheusMeterRegistry(
                        PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM);
        try {
            Timer made = (Timer) micrometer.timerIn(leaf, figure, global);

            assertThat(made.getId().getDescription()).isEqualTo("what it says");
            assertThat(made.getId().getTags()).isEqualTo(id.getTags());
            assertThat(leaf.scrape())
                    .contains("a_timer_seconds_bucket{kind=\"park\",le=\"0.001\"}");
        } finally {
            micrometer.remove(global);
        }
    }
}
