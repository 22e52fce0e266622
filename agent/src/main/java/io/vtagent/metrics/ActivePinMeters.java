package io.vtagent.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;

/** The pins in progress. */
public final class ActivePinMeters implements MeterBinder {
    static final String ACTIVE = "vthread.pinned.active";
    static final String LONGEST = "vthread.pinned.active.longest";

    private static final double NANOS_PER_SECOND = 1e9;

    private final Ledger ledger;

    public ActivePinMeters(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (PinKind kind : PinKind.values()) {
            Gauge.builder(ACTIVE, ledger, from -> count(from, kind))
                    .description("Pins in progress")
                    .tag("kind", kind.label())
                    .register(registry);
        }
        Gauge.builder(LONGEST, ledger, ActivePinMeters::longestSeconds)
                .description("Age of the oldest pin in progress")
                .baseUnit("seconds")
                .register(registry);
    }

    private static double count(Ledger ledger, PinKind kind) {
        return ledger.active().stream().filter(pin -> pin.kind() == kind).count();
    }

    private static double longestSeconds(Ledger ledger) {
        return ledger.active().stream().mapToLong(ActivePin::ageNanos).max().orElse(0) / NANOS_PER_SECOND;
    }
}
