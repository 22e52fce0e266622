package io.vtagent.outlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.vm.FramesOfInterest;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The same measurements in several registries. */
class MetersTest {
    private final AgentOptions options = AgentOptions.parse(null, new Properties(), Map.of());
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final Measurements measurements = Unwatched.of(ledger, System.nanoTime());
    private double seen;

    MetersTest() throws BadOptionException {}

    /** What is in progress and turns out to be none has been told, and stays where it was told. */
    @Test
    void theHeldTimeThatOneHasToldTheOthersTell() throws InterruptedException {
        MeterRegistry first = registry();
        MeterRegistry second = registry();
        Thread.startVirtualThread(() -> {
                    Object begun = ledger.hooks().onWaitBegan();
                    seen = held(first);
                    ledger.hooks().onWaitEnded(begun, new IllegalMonitorStateException());
                })
                .join();

        assertThat(seen).isPositive();
        assertThat(ledger.totals().count()).isZero();
        assertThat(held(first)).isEqualTo(seen);
        assertThat(held(second)).isEqualTo(seen);
    }

    private MeterRegistry registry() {
        MeterRegistry registry = new SimpleMeterRegistry();
        Meters.all(measurements, options, false).bindTo(registry);
        return registry;
    }

    private static double held(MeterRegistry registry) {
        return registry.get("vthread.held")
                .tag("kind", "wait")
                .functionCounter()
                .count();
    }
}
