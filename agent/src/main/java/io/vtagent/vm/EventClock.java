package io.vtagent.vm;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Tells when an event of Flight Recorder was, on the scale of {@code System.nanoTime}. The recorder tells the time of day: that at
 * which the current chunk of the recording began, plus what the processor has counted since. So if somebody sets the clock, its times go
 * on as before until the next chunk begins, which may be never. For one thread, the one that receives the events.
 */
final class EventClock {
    /** By less the clock is not set but corrected, slowly, which {@code nanoTime} follows. */
    private static final long STEP_NANOS = 10_000_000;
    /** An event may seem to end so much later than it is received: the one clock is not the other. */
    private static final long AHEAD_NANOS = 30_000_000;

    private static final int MOST_STEPS = 16;

    private final InstantSource timeOfDay;
    private final LongSupplier nanoTime;
    /** By how much the time of day is ahead of {@code nanoTime}, now and before the clock was set; the newest first. */
    private final Deque<Long> offsets = new ArrayDeque<>();

    EventClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    EventClock(InstantSource timeOfDay, LongSupplier nanoTime) {
        this.timeOfDay = timeOfDay;
        this.nanoTime = nanoTime;
        notice();
    }

    /** When an event was that ended {@code at} and has just been received: of what it can be the latest that is not to come. */
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
            if (offsets.size() > MOST_STEPS) {
                offsets.removeLast();
            }
        }
        return nowNanos;
    }

    private static long nanosOf(Instant at) {
        return Duration.between(Instant.EPOCH, at).toNanos();
    }
}
