package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.ledger.HeldTime;
import io.vtagent.pin.PinKind;

/** Meters of the held carrier time as it accrues, including that of pins that never end. */
public final class HeldMeters implements AgentMeterBinder {
    static final String HELD = "vthread.held";

    private static final double NANOS_PER_SECOND = 1e9;

    private final HeldTime held;

    public HeldMeters(HeldTime held) {
        this.held = held;
    }

    @Override
    public void refresh() {
        held.refresh();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        refresh();
        for (PinKind kind : PinKind.values()) {
            // Micrometer refers weakly to the object that it reads, and strongly to the function
            FunctionCounter.builder(HELD, kind, of -> held.nanos(of) / NANOS_PER_SECOND)
                    .description("Held carrier time of pins, ended or in progress")
                    .baseUnit("seconds")
                    .tag("kind", kind.label())
                    .register(registry);
        }
    }
}
