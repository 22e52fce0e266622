package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.PinSink;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Timers of the pins that have ended, fed from the ledger's totals. */
public final class PinMeters implements AgentMeterBinder {
    static final String PINNED = "vthread.pinned";
    static final String UNATTRIBUTED = "vthread.agent.pins.unattributed";

    private final Ledger ledger;
    private final Iterable<PinKey> keys;
    private final boolean histogram;
    private final Map<PinKey, SummedTimer> timers = new ConcurrentHashMap<>();
    private @Nullable PinSink sink;

    /**
     * @param keys the keys that can occur in this JVM, whose timers exist from the beginning
     * @param histogram whether the timers have buckets
     */
    public PinMeters(Ledger ledger, Iterable<PinKey> keys, boolean histogram) {
        this.ledger = ledger;
        this.keys = keys;
        this.histogram = histogram;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (PinKey key : keys) {
            timers.put(key, timer(key, registry));
        }
        FunctionCounter.builder(UNATTRIBUTED, ledger, PinMeters::unattributed)
                .description("Pins whose stack was not read")
                .register(registry);
        sink = (key, since) -> timerOf(key, registry).add(since);
        ledger.publishTo(sink);
    }

    /**
     * Returns the timer of {@code key}. One thread at a time may call it. Holds no lock of the map
     * while the registry creates a timer.
     */
    private SummedTimer timerOf(PinKey key, MeterRegistry registry) {
        SummedTimer known = timers.get(key);
        if (known == null) {
            known = timer(key, registry);
            timers.put(key, known);
        }
        return known;
    }

    @Override
    public void refresh() {
        PinSink bound = sink;
        if (bound != null) {
            ledger.awaitPublished(bound);
        }
    }

    @Override
    public void close() {
        PinSink bound = sink;
        if (bound != null) {
            ledger.publishNoMore(bound);
        }
    }

    private static double unattributed(Ledger ledger) {
        return ledger.totals().unattributed().values().stream()
                .mapToLong(DurationTotals::count)
                .sum();
    }

    private SummedTimer timer(PinKey key, MeterRegistry registry) {
        Timer.Builder builder =
                Timer.builder(PINNED)
                        .description("Held carrier time of ended pins")
                        .tag("kind", key.kind().label())
                        .tag("reason", key.reason().label())
                        .tag("compensated", Boolean.toString(key.compensated()));
        return new SummedTimer(builder, histogram, registry);
    }
}
