package io.vtagent.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vtagent.record.DurationTotals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A timer that is handed sums of durations, with the exact count, total and maximum, and the mean of its bucket for every other
 * duration. For the agent's own threads, since a timer of Micrometer may take a lock.
 */
final class SummedTimer {
    private static final Duration SHORTEST_BUCKET = Duration.ofNanos(1_000);
    private static final Duration LONGEST_BUCKET = Duration.ofMinutes(1);

    private final Timer timer;

    /** @param histogram whether it has buckets */
    SummedTimer(Timer.Builder builder, boolean histogram, MeterRegistry registry) {
        if (histogram) {
            builder.publishPercentileHistogram()
                    .minimumExpectedValue(SHORTEST_BUCKET)
                    .maximumExpectedValue(LONGEST_BUCKET);
        }
        timer = builder.register(registry);
    }

    void add(DurationTotals since) {
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
