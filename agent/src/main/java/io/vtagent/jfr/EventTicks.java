package io.vtagent.jfr;

import jdk.internal.misc.Unsafe;

/**
 * Writes the times of a pin into a {@link PinEvent}. JFR's API takes times only from {@code
 * begin()} and {@code end()}, but most pins are known only when they are over. So this class writes
 * the two fields that JFR adds to an event class, in units of JFR's own clock; it measures the rate
 * of that clock by reading both clocks. Thread-safe; what a hook calls allocates nothing but the
 * event.
 */
final class EventTicks {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long START = UNSAFE.objectFieldOffset(PinEvent.class, "startTime");
    private static final long DURATION = UNSAFE.objectFieldOffset(PinEvent.class, "duration");

    private static final long MIN_NANOS = 1_000_000;
    private static final int ATTEMPTS = 10;

    private final long ticks;
    private final long nanos;
    private volatile double ticksPerNano;

    /** A moment on both clocks. */
    private record Moment(long ticks, long nanos) {}

    EventTicks() {
        Moment first = now();
        ticks = first.ticks;
        nanos = first.nanos;
        // this is the application's thread that begins to record: a pause would consume its
        // interrupt and its park permit
        while (System.nanoTime() - nanos < MIN_NANOS) {
            Thread.onSpinWait();
        }
        adjust();
    }

    /**
     * Measures the rate since this object was created; the longer ago that is, the more exact the
     * rate.
     */
    void adjust() {
        Moment now = now();
        ticksPerNano = (now.ticks - ticks) / (double) (now.nanos - nanos);
    }

    /** Reads both clocks together: returns the best of several attempts. */
    private static Moment now() {
        Moment best = new Moment(0, 0);
        long shortest = Long.MAX_VALUE;
        PinEvent event = new PinEvent();
        for (int i = 0; i < ATTEMPTS; i++) {
            long before = System.nanoTime();
            long ticks = ticksNow(event);
            long took = System.nanoTime() - before;
            if (took < shortest) {
                shortest = took;
                best = new Moment(ticks, before + took / 2);
            }
        }
        return best;
    }

    private static long ticksNow(PinEvent event) {
        event.begin();
        return UNSAFE.getLong(event, START);
    }

    /**
     * Sets the times of {@code event}: it ended at {@code endedAtNanos}, on the scale of {@code
     * nanoTime}, after {@code durationNanos}.
     */
    void write(PinEvent event, long endedAtNanos, long durationNanos) {
        double rate = ticksPerNano;
        long agoNanos = System.nanoTime() - endedAtNanos + durationNanos;
        UNSAFE.putLong(event, START, ticksNow(event) - (long) (agoNanos * rate));
        UNSAFE.putLong(
                event,
                DURATION,
                Math.max((long) (durationNanos * rate), 1)); // JFR would take 0 for "until now"
    }
}
