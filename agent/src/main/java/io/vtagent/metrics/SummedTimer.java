package io.vtagent.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vtagent.record.DurationTotals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A timer that is handed sums of durations, with the exact count, total and maximum, and the mean of its bucket for every other
 * duration. For the agent's own threads, since a timer of Micrometer may take a lock.
 */
public final class SummedTimer {
    private static final Duration SHORTEST_BUCKET = Duration.ofNanos(1_000);
    private static final Duration LONGEST_BUCKET = Duration.ofMinutes(1);

    private final Timer timer;

    /** A timer that takes such sums itself, instead of one duration after the other. */
    public interface Sums {
        /** Takes {@code since}, which nobody changes any more. Called with a lock of the agent's held. */
        void add(DurationTotals since);
    }

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
        if (timer instanceof Sums sums) {
            sums.add(since);
        } else {
            record(since, nanos -> timer.record(nanos, TimeUnit.NANOSECONDS));
        }
    }

    /** Hands {@code timer} as many durations, in nanoseconds, as {@code since} sums up. */
    public static void record(DurationTotals since, LongConsumer timer) {
        boolean longestIsOpen = true;
        for (int bucket = since.buckets() - 1; bucket >= 0; bucket--) {
            long count = since.count(bucket);
            long nanos = since.nanos(bucket);
            if (count > 0 && longestIsOpen) {
                long longest = Math.min(since.longestNanos(), nanos);
                timer.accept(count == 1 ? nanos : longest);
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
