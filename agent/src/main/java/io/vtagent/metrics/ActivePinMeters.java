package io.vtagent.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import java.util.List;
import java.util.function.Supplier;

/** Meters of the pins in progress, as of the last {@link #refresh}. */
public final class ActivePinMeters implements AgentMeterBinder {
    static final String ACTIVE = "vthread.pinned.active";
    static final String LONGEST = "vthread.pinned.active.longest";

    private static final double NANOS_PER_SECOND = 1e9;

    private static final PinKind[] KINDS = PinKind.values();

    private final Supplier<List<ActivePin>> active;
    private volatile Seen seen = new Seen(new int[KINDS.length], 0);

    /** The figures without the pins, which refer to threads and objects of the application. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Seen(int[] counts, long longestNanos) {}

    /**
     * @param active supplies the pins in progress
     */
    public ActivePinMeters(Supplier<List<ActivePin>> active) {
        this.active = active;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        refresh();
        for (PinKind kind : KINDS) {
            Gauge.builder(ACTIVE, () -> seen.counts[kind.ordinal()])
                    .description("Pins in progress")
                    .tag("kind", kind.label())
                    .register(registry);
        }
        Gauge.builder(LONGEST, () -> seen.longestNanos / NANOS_PER_SECOND)
                .description("Age of the oldest pin in progress, or 0")
                .baseUnit("seconds")
                .register(registry);
    }

    @Override
    public void refresh() {
        int[] counts = new int[KINDS.length];
        long longestNanos = 0;
        for (ActivePin pin : active.get()) {
            counts[pin.kind().ordinal()]++;
            longestNanos = Math.max(longestNanos, pin.ageNanos());
        }
        seen = new Seen(counts, longestNanos);
    }
}
