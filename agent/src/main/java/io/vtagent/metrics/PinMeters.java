package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.record.PinTotals;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The pins that have ended. The ledger's sums are handed to the timers on the agent's threads, since a timer of Micrometer may
 * take a lock: with the exact count, total and maximum, and the mean of its bucket for every other duration.
 */
public final class PinMeters implements MeterBinder {
    static final String PINNED = "vthread.pinned";
    static final String UNATTRIBUTED = "vthread.agent.pins.unattributed";

    private static final Duration SHORTEST_BUCKET = Duration.ofNanos(1_000);
    private static final Duration LONGEST_BUCKET = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final Iterable<PinKey> keys;
    private final boolean histogram;
    private final Map<PinKey, Timer> timers = new ConcurrentHashMap<>();

    /**
     * @param keys that can occur in this JVM, which are there from the beginning
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
                .description("Pins whose stack was not walked")
                .register(registry);
        ledger.publishTo((key, since) -> record(timers.computeIfAbsent(key, rare -> timer(rare, registry)), since));
    }

    private static double unattributed(Ledger ledger) {
        return ledger.totals().unattributed().values().stream()
                .mapToLong(PinTotals::count)
                .sum();
    }

    private Timer timer(PinKey key, MeterRegistry registry) {
        Timer.Builder builder = Timer.builder(PINNED)
                .description("Time that carriers were held by virtual threads that could not unmount")
                .tag("kind", key.kind().label())
                .tag("reason", key.reason().label())
                .tag("compensated", Boolean.toString(key.compensated()));
        if (histogram) {
            builder.publishPercentileHistogram()
                    .minimumExpectedValue(SHORTEST_BUCKET)
                    .maximumExpectedValue(LONGEST_BUCKET);
        }
        return builder.register(registry);
    }

    private static void record(Timer timer, PinTotals since) {
        boolean longestIsOpen = true;
        for (int bucket = since.buckets() - 1; bucket >= 0; bucket--) {
            long count = since.count(bucket);
            long nanos = since.nanos(bucket);
            if (count > 0 && longestIsOpen) {
                long longest = Math.min(since.longestNanos(), nanos);
                timer.record(count == 1 ? nanos : longest, TimeUnit.NANOSECONDS);
                nanos -= longest;
                count--;
                longestIsOpen = false;
            }
            for (long left = count; left > 0; left--) {
                long share = nanos / left;
                timer.record(share, TimeUnit.NANOSECONDS);
                nanos -= share;
            }
        }
    }
}
