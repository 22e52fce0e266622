package io.vtagent.watch;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How much of a processor's time may be spent on snapshots of stacks and on what they tell. What the thread that looks waits for a
 * processor costs nobody anything, and is not counted. For that thread.
 */
final class SnapshotBudget {
    /** At most this part of a processor's time ... */
    static final int SHARE = 50;

    /** ... of which as much can be saved up. */
    static final long MOST_NANOS = 5_000_000;

    /** The first snapshots run code that has never run before. */
    static final long FIRST_NANOS = 50_000_000;

    private final LongSupplier processorNanos;
    private long leftNanos = FIRST_NANOS;

    /** @param processorNanos the processor time that the current thread has used */
    SnapshotBudget(LongSupplier processorNanos) {
        this.processorNanos = processorNanos;
    }

    /** So much time has passed since this was told last. */
    void passed(long elapsedNanos) {
        if (leftNanos < MOST_NANOS) {
            leftNanos = Math.min(leftNanos + elapsedNanos / SHARE, MOST_NANOS);
        }
    }

    boolean isLeft() {
        return leftNanos > 0;
    }

    /** What {@code costly} gives, which is paid for. */
    <T> T spend(Supplier<T> costly) {
        long beganNanos = processorNanos.getAsLong();
        T result = costly.get();
        leftNanos = Math.max(leftNanos - (processorNanos.getAsLong() - beganNanos), -MOST_NANOS);
        return result;
    }
}
