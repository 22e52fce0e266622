package io.vtagent.usage;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Limits the CPU time that the sampler spends on reading and evaluating stacks. Time for which the
 * sampler's thread waits for a CPU costs nothing and is not counted. For that thread.
 */
public final class StackBudget {
    /** The divisor of the CPU time that may be spent: 1/50 of one CPU. */
    static final int SHARE = 50;

    /** The CPU time that can be saved up or overdrawn at most. */
    static final long MAX_NANOS = 5_000_000;

    /** The budget at the start: the first snapshots run code that has never run before. */
    public static final long FIRST_NANOS = 50_000_000;

    private final LongSupplier processorNanos;
    private final int share;
    private long leftNanos = FIRST_NANOS;

    /**
     * @param processorNanos returns the CPU time that the current thread has used
     */
    public StackBudget(LongSupplier processorNanos) {
        this(processorNanos, SHARE);
    }

    /**
     * @param processorNanos returns the CPU time that the current thread has used
     * @param share the divisor of the CPU time that may be spent
     */
    public StackBudget(LongSupplier processorNanos, int share) {
        this.processorNanos = processorNanos;
        this.share = share;
    }

    /** Adds the budget of {@code elapsedNanos}, the time since the previous call. */
    public void passed(long elapsedNanos) {
        if (leftNanos < MAX_NANOS) {
            leftNanos = Math.min(leftNanos + elapsedNanos / share, MAX_NANOS);
        }
    }

    /** Returns whether a stack may be read now. */
    public boolean isLeft() {
        return leftNanos > 0;
    }

    /** Returns whether half of the CPU time that can be saved up is left. */
    public boolean isHalfLeft() {
        return leftNanos > MAX_NANOS / 2;
    }

    /** Returns the result of {@code costly} and subtracts its CPU time from the budget. */
    public <T> T spend(Supplier<T> costly) {
        long beganNanos = processorNanos.getAsLong();
        T result = costly.get();
        leftNanos = Math.max(leftNanos - (processorNanos.getAsLong() - beganNanos), -MAX_NANOS);
        return result;
    }
}
