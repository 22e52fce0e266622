package io.vtagent.kernel;

import io.vtagent.jvm.HandleCalls;

/**
 * The run queue delay within the held time of a carrier: the thread was runnable, but the kernel
 * gave it no CPU, or a quota throttled it.
 *
 * <p>The thread that ends an interval reads the carrier's times if the interval was long or the
 * sampler asks for it. Between two reads the carrier has run, has been queued or has slept. Only
 * queued time during which the carrier cannot have slept is subtracted. So the subtracted time may
 * be too short, but it never includes time for which the thread was blocked. Used by the threads
 * that are mounted on the carrier, one after the other, except {@link #refresh}.
 */
public final class RunDelay {
    /** No times are read for shorter intervals, because a read costs some microseconds. */
    private static final long MIN_NANOS = 1_000_000;

    private final ThreadTimes times;
    private volatile boolean refresh = true;
    private boolean known;
    private long readAtNanos;

    public RunDelay() {
        this(new ThreadTimes());
    }

    RunDelay(ThreadTimes times) {
        this.times = times;
    }

    /**
     * Warms up, on a thread of the agent, what carriers call: see {@link HandleCalls}.
     *
     * @return false if this system does not report run queue delay
     */
    public static boolean prepare() {
        RunDelay prepared = new RunDelay();
        for (int i = 0; i < HandleCalls.TO_SETTLE; i++) {
            prepared.withoutDelay(MIN_NANOS);
        }
        return prepared.known;
    }

    /** Makes the next interval read the times, whatever its length. For the sampler. */
    public void refresh() {
        refresh = true;
    }

    /**
     * Returns the length of an interval without run queue delay. The interval is {@code heldNanos}
     * long and ends now.
     */
    public long withoutDelay(long heldNanos) {
        boolean isLong = heldNanos >= MIN_NANOS;
        if (!isLong && !refresh) {
            return heldNanos;
        }
        refresh = false;
        boolean knownBefore = known;
        long beforeNanos = readAtNanos;
        long ranNanos = times.ranNanos();
        long queuedNanos = times.queuedNanos();
        readAtNanos = System.nanoTime();
        known = times.read();
        if (!isLong || !known || !knownBefore || readAtNanos - heldNanos < beforeNanos) {
            return heldNanos;
        }
        long newQueuedNanos = times.queuedNanos() - queuedNanos;
        long occupiedNanos = newQueuedNanos + times.ranNanos() - ranNanos;
        return withoutDelay(
                heldNanos, newQueuedNanos, System.nanoTime() - beforeNanos - occupiedNanos);
    }

    /**
     * @param queuedNanos run queue delay, some of which may have been before the interval
     * @param sleptNanos the longest time that the thread may have slept in the interval
     */
    static long withoutDelay(long heldNanos, long queuedNanos, long sleptNanos) {
        return Math.max(heldNanos - queuedNanos, Math.clamp(sleptNanos, 0, heldNanos));
    }
}
