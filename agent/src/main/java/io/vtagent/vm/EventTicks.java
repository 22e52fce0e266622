package io.vtagent.vm;

import io.vtagent.thread.AgentThread;
import jdk.internal.misc.Unsafe;

/**
 * Writes into a {@link PinEvent} when it was. The API of JFR takes the time at {@code begin()} and {@code end()} alone, and most pins are
 * known when they are over; so this writes the two fields that JFR adds to the class of an event, in units of JFR's own clock, of which it
 * learns the rate by looking at both clocks. Thread-safe; what is called in a hook allocates nothing but the event.
 */
final class EventTicks {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long START = UNSAFE.objectFieldOffset(PinEvent.class, "startTime");
    private static final long DURATION = UNSAFE.objectFieldOffset(PinEvent.class, "duration");

    private static final long SHORTEST_NANOS = 5_000_000;
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
        AgentThread.pause(SHORTEST_NANOS);
        adjust();
    }

    /** Takes the rate since the beginning, the more exact the longer ago that is. */
    void adjust() {
        Moment now = now();
        ticksPerNano = (now.ticks - ticks) / (double) (now.nanos - nanos);
    }

    /** The best of some attempts to read both clocks at once. */
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

    /** Has {@code event} end at {@code endedAtNanos}, on the scale of {@code nanoTime}, after {@code durationNanos}. */
    void write(PinEvent event, long endedAtNanos, long durationNanos) {
        double rate = ticksPerNano;
        long agoNanos = System.nanoTime() - endedAtNanos + durationNanos;
        UNSAFE.putLong(event, START, ticksNow(event) - (long) (agoNanos * rate));
        UNSAFE.putLong(
                event, DURATION, Math.max((long) (durationNanos * rate), 1)); // with 0, JFR would take it until now
    }
}
