package io.vtagent.usage;

/**
 * Limits the time for which reading the stacks of running threads stops the sampler. The JVM reads
 * such a stack when the thread reaches a safepoint poll. A thread in a critical native call ({@code
 * Linker.Option.critical}, JDK 22 and later) reaches none before the call has ended, and a thread
 * without a CPU none before it runs. For one thread.
 */
final class ReadStalls {
    /** A read that takes longer had to wait. */
    static final long MAX_READ_NANOS = 2_000_000;

    /** The divisor of the time for which reads may wait. */
    static final int SHARE = 20;

    private boolean stalled;
    private long notBeforeNanos;

    /** Returns whether no stack should be read at {@code nowNanos}. */
    boolean isTooSoon(long nowNanos) {
        return stalled && nowNanos - notBeforeNanos < 0;
    }

    /** Adds a read. */
    void read(long beganNanos, long endedNanos) {
        long nanos = endedNanos - beganNanos;
        stalled = nanos > MAX_READ_NANOS;
        notBeforeNanos = endedNanos + SHARE * nanos;
    }
}
