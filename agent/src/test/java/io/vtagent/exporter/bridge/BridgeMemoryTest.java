package io.vtagent.exporter.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.ledger.EndedPins;
import io.vtagent.ledger.Ledger;
import io.vtagent.memory.FailingAllocations;
import io.vtagent.metrics.AllMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The figures of the application's registries when memory runs out for a moment. */
class BridgeMemoryTest {
    private static final String TIMER = "vthread.pinned";
    private static final PinKey OTHER = new PinKey(PinKind.WAIT, PinReason.NATIVE, false);
    private static final PinKey KEY = new PinKey(PinKind.NATIVE, PinReason.NATIVE, false);

    @Test
    void whereverTheMemoryEndsEachPinIsReportedOnce() throws Exception {
        assertThat(FailingAllocations.everywhereIn(ToTheApplication.class)).isGreaterThan(20);
    }

    static final class ToTheApplication implements FailingAllocations.Scenario {
        private final Ledger ledger =
                new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(1), 1, Buckets.FINE);
        private final CachedMeterRegistry figures =
                new CachedMeterRegistry(
                        Map.of(),
                        new AllMeters(List.of(new PinMeters(ledger, List.of(KEY), false))));
        private final List<SimpleMeterRegistry> registries =
                List.of(new SimpleMeterRegistry(), new SimpleMeterRegistry());
        private final RegistryBridge mirror;
        private long pins;
        private long nanos;

        ToTheApplication() throws ReflectiveOperationException {
            mirror = mirrorOf(figures, registries);
        }

        @Override
        public void step() throws Exception {
            for (long duration = 1_000; duration < 100_000_000; duration *= 7) {
                ledger.add(PinKind.NATIVE, PinReason.NATIVE, duration, () -> null);
                pins++;
                nanos += duration;
                EndedPins unused = ledger.totals();
            }
            figures.update();
            mirror.update();
        }

        @Override
        public String wrong() {
            StringBuilder wrong = new StringBuilder();
            for (SimpleMeterRegistry registry : registries) {
                Timer timer = registry.get(TIMER).timer();
                long reported = Math.round(timer.totalTime(TimeUnit.NANOSECONDS));
                if (timer.count() != pins || reported != nanos) {
                    wrong.append(
                            "%d of %d pins were told, %d of %d ns; "
                                    .formatted(timer.count(), pins, reported, nanos));
                }
            }
            return wrong.toString();
        }
    }

    @Test
    void whereverTheMemoryEndsTheMetersAreTakenOut() throws Exception {
        assertThat(FailingAllocations.everywhereIn(OutOfTheRegistry.class)).isPositive();
    }

    static final class OutOfTheRegistry implements FailingAllocations.Scenario {
        private final Ledger ledger =
                new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(1), 1, Buckets.FINE);
        private final CachedMeterRegistry figures =
                new CachedMeterRegistry(
                        Map.of(), new PinMeters(ledger, List.of(KEY, OTHER), false));
        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        private final RegistryBridge mirror;

        OutOfTheRegistry() throws ReflectiveOperationException {
            mirror = mirrorOf(figures, List.of(registry));
        }

        @Override
        public void step() {
            mirror.remove();
        }

        @Override
        public String wrong() {
            return registry.getMeters().isEmpty() ? "" : registry.getMeters() + " are left";
        }
    }

    private static RegistryBridge mirrorOf(
            CachedMeterRegistry figures, List<SimpleMeterRegistry> registries)
            throws ReflectiveOperationException {
        Metrics.globalRegistry.clear();
        List.copyOf(Metrics.globalRegistry.getRegistries()).forEach(Metrics::removeRegistry);
        registries.forEach(Metrics::addRegistry);
        RegistryBridge mirror = new RegistryBridge(figures, new Micrometer(Metrics.class));
        while (registries.stream().anyMatch(registry -> registry.find(TIMER).timer() == null)) {
            mirror.update();
        }
        return mirror;
    }
}
