package io.vtagent.jfr;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Converts the times of JFR events to the scale of {@code System.nanoTime}. JFR reports the time of
 * day at which the current chunk of the recording began, plus what the CPU's counter has counted
 * since. So if the clock is set, JFR's times go on as before until the next chunk begins, which may
 * be never. For one thread, the one that receives the events.
 */
final class EventClock {
    /**
     * A smaller change is a gradual correction of the clock, which {@code nanoTime} follows, and
     * not a step.
     */
    private static final long STEP_NANOS = 10_000_000;

    /**
     * An event may seem to end at most this much later than it is received, because the two clocks
     * differ.
     */
    private static final long AHEAD_NANOS = 30_000_000;

    private static final int MAX_STEPS = 16;

    private final InstantSource timeOfDay;
    private final LongSupplier nanoTime;

    /**
     * The differences between the time of day and {@code nanoTime}, now and before each step of the
     * clock; the newest first.
     */
    private final Deque<Long> offsets = new ArrayDeque<>();

    EventClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    EventClock(InstantSource timeOfDay, LongSupplier nanoTime) {
        this.timeOfDay = timeOfDay;
        this.nanoTime = nanoTime;
        notice();
    }

    /**
     * Returns the time at which an event ended that has just been received. If several known
     * offsets are possible, this is the latest time that is not in the future.
     *
     * @param at the end of the event as JFR reports it
     */
    long nanoTimeOf(Instant at) {
        long nowNanos = notice();
        long atNanos = nanosOf(at);
        long latest = Long.MIN_VALUE;
        for (long offset : offsets) {
            long candidate = atNanos - offset;
            if (candidate <= nowNanos + AHEAD_NANOS) {
                latest = Math.max(latest, candidate);
            }
        }
        return latest == Long.MIN_VALUE ? nowNanos : latest;
    }

    private long notice() {
        long nowNanos = nanoTime.getAsLong();
        long offset = nanosOf(timeOfDay.instant()) - nowNanos;
        Long known = offsets.peekFirst();
        if (known == null || Math.abs(offset - known) > STEP_NANOS) {
            offsets.addFirst(offset);
            if (offsets.size() > MAX_STEPS) {
                offsets.removeLast();
            }
        }
        return nowNanos;
    }

    private static long nanosOf(Instant at) {
        return Duration.between(Instant.EPOCH, at).toNanos();
    }
}
