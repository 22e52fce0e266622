package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.ledger.Ledger;
import io.vtagent.metrics.AgentMeterBinder;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.pin.Buckets;
import io.vtagent.site.FramesOfInterest;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Measurements that several registries share. */
class MetersTest {
    private final AgentOptions options = AgentOptions.parse(null, new Properties(), Map.of());
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final MeasurementSource measurements = LedgerMeasurements.of(ledger, System.nanoTime());
    private double seen;

    MetersTest() throws BadOptionException {}

    /**
     * The time of a pin in progress that turns out to be none has been published and stays
     * published.
     */
    @Test
    void theHeldTimeThatOneHasPublishedTheOthersPublish() throws InterruptedException {
        Bound first = Bound.of(Meters.all(measurements, options, false));
        Bound second = Bound.of(Meters.all(measurements, options, false));
        Thread.startVirtualThread(
                        () -> {
                            Object begun = ledger.hooks().onWaitBegan();
                            seen = first.held();
                            ledger.hooks().onWaitEnded(begun, new IllegalMonitorStateException());
                        })
                .join();

        assertThat(seen).isPositive();
        assertThat(ledger.totals().count()).isZero();
        assertThat(first.held()).isEqualTo(seen);
        assertThat(second.held()).isEqualTo(seen);
    }

    private record Bound(AgentMeterBinder meters, MeterRegistry registry) {
        static Bound of(AgentMeterBinder meters) {
            MeterRegistry registry = new SimpleMeterRegistry();
            meters.bindTo(registry);
            return new Bound(meters, registry);
        }

        double held() {
            meters.refresh();
            return registry.get("vthread.held").tag("kind", "wait").functionCounter().count();
        }
    }
}
