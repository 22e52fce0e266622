package io.vtagent.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import java.util.List;
import java.util.function.Supplier;

/** The pins in progress. */
public final class ActivePinMeters implements AgentMeterBinder {
    static final String ACTIVE = "vthread.pinned.active";
    static final String LONGEST = "vthread.pinned.active.longest";

    private static final double NANOS_PER_SECOND = 1e9;

    private final Supplier<List<ActivePin>> active;

    /** @param active the pins in progress, when it is asked */
    public ActivePinMeters(Supplier<List<ActivePin>> active) {
        this.active = active;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (PinKind kind : PinKind.values()) {
            Gauge.builder(ACTIVE, () -> count(kind))
                    .description("Pins in progress")
                    .tag("kind", kind.label())
                    .register(registry);
        }
        Gauge.builder(LONGEST, this::longestSeconds)
                .description("Age of the oldest pin in progress")
                .baseUnit("seconds")
                .register(registry);
    }

    private double count(PinKind kind) {
        return active.get().stream().filter(pin -> pin.kind() == kind).count();
    }

    private double longestSeconds() {
        return active.get().stream().mapToLong(ActivePin::ageNanos).max().orElse(0) / NANOS_PER_SECOND;
    }
}
