package io.vtagent.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vtagent.pin.DurationTotals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A timer that receives sums of durations. It records the exact count, total and maximum, and the
 * mean of its bucket for every other duration. For the agent's own threads, because a Micrometer
 * timer may take a lock.
 */
public final class SummedTimer {
    private static final Duration MIN_BUCKET = Duration.ofNanos(1_000);
    private static final Duration MAX_BUCKET = Duration.ofMinutes(1);

    private final Timer timer;

    /** A timer that accepts such sums itself instead of single durations. */
    public interface Sums {
        /** Adds {@code since}, which does not change any more. */
        void add(DurationTotals since);
    }

    /**
     * @param histogram whether the timer has buckets
     */
    SummedTimer(Timer.Builder builder, boolean histogram, MeterRegistry registry) {
        if (histogram) {
            builder.publishPercentileHistogram()
                    .minimumExpectedValue(MIN_BUCKET)
                    .maximumExpectedValue(MAX_BUCKET);
        }
        timer = builder.register(registry);
    }

    void add(DurationTotals since) {
        if (timer instanceof Sums sums) {
            sums.add(since);
        } else {
            record(since, nanos -> timer.record(nanos, TimeUnit.NANOSECONDS));
        }
    }

    /**
     * Passes to {@code timer} as many durations, in nanoseconds, as {@code since} sums up. The
     * longest is read separately from the sums, so it may belong to an earlier or later sum. If it
     * cannot be one of these durations, the mean replaces it.
     */
    public static void record(DurationTotals since, LongConsumer timer) {
        boolean longestIsOpen = true;
        for (int bucket = since.buckets() - 1; bucket >= 0; bucket--) {
            long count = since.count(bucket);
            long nanos = since.nanos(bucket);
            if (count > 0 && longestIsOpen) {
                long mean = nanos / count;
                boolean possible =
                        count > 1 && since.longestNanos() >= mean && since.longestNanos() <= nanos;
                long longest = possible ? since.longestNanos() : mean;
                timer.accept(longest);
                nanos -= longest;
                count--;
                longestIsOpen = false;
            }
            for (long left = count; left > 0; left--) {
                long share = nanos / left;
                timer.accept(share);
                nanos -= share;
            }
        }
    }
}
