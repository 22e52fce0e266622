package io.vtagent.exporter.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vtagent.metrics.AgentMeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OtelMetersTest {
    private final List<List<Map<String, String>>> registered = new ArrayList<>();
    private int closed;
    private int read;
    private boolean relieved;
    private boolean fails;

    private final OtelSdk sdk =
            new OtelSdk(
                    (instruments, values) -> {
                        if (fails) {
                            throw new OutOfMemoryError("a test's");
                        }
                        registered.add(instruments);
                        return () -> closed++;
                    },
                    null,
                    "");

    private final AgentMeterBinder binder =
            new AgentMeterBinder() {
                @Override
                public void bindTo(MeterRegistry registry) {
                    Timer.builder("pinned")
                            .tag("kind", "park")
                            .register(registry)
                            .record(300, TimeUnit.MILLISECONDS);
                    Gauge.builder("unknown", () -> Double.NaN).register(registry);
                    if (relieved) {
                        FunctionCounter.builder("relief", this, of -> 7)
                                .baseUnit("seconds")
                                .register(registry);
                    }
                }
            };

    @Test
    void aTimerIsTwoCountersAndAGaugeAndWhatIsNotKnownHasNoValue() {
        OtelMeters meters = meters();
        meters.register();

        assertThat(registered).hasSize(1);
        assertThat(registered.getFirst())
                .extracting(
                        each -> each.get("name") + " " + each.get("type") + " " + each.get("unit"))
                .containsExactlyInAnyOrder(
                        "pinned.count counter ",
                        "pinned.sum counter s",
                        "pinned.max gauge s",
                        "unknown gauge ");
        Map<String, String> tags = Map.of("kind", "park", "zone", "eu");
        assertThat(meters.get())
                .containsOnly(
                        Map.entry("pinned.count", Map.of(tags, 1.0)),
                        Map.entry("pinned.sum", Map.of(tags, 0.3)),
                        Map.entry("pinned.max", Map.of(tags, 0.3)));
        assertThat(read).isEqualTo(1);
    }

    @Test
    void instrumentsAreRegisteredAgainOnlyIfThereAreNewOnesAndRemovedAtTheEnd() {
        relieved = true;
        OtelMeters meters = meters();
        meters.register();
        meters.register();
        assertThat(registered).hasSize(1);
        assertThat(closed).isZero();

        meters.close();
        assertThat(closed).isEqualTo(1);
        assertThat(meters.get()).isEmpty();
        assertThat(read).isZero();
    }

    @Test
    void aRegistrationThatFailedIsTriedAgain() {
        OtelMeters meters = meters();
        fails = true;
        assertThatThrownBy(meters::register).isInstanceOf(OutOfMemoryError.class);

        fails = false;
        meters.register();

        assertThat(registered).hasSize(1);
    }

    @Test
    void aVirtualThreadGetsTheValuesOfTheLastTime() throws InterruptedException {
        OtelMeters meters = meters();
        List<Object> values = new ArrayList<>();
        Thread.startVirtualThread(() -> values.add(meters.get())).join();
        meters.get();
        Thread.startVirtualThread(() -> values.add(meters.get())).join();

        assertThat(values).hasSize(2);
        assertThat(values.get(0)).isEqualTo(Map.of());
        assertThat(values.get(1)).isEqualTo(meters.get());
        assertThat(read).isEqualTo(2);
    }

    private OtelMeters meters() {
        return new OtelMeters(sdk, Map.of("zone", "eu"), binder, () -> read++);
    }
}
