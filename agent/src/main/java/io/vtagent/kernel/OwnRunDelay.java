package io.vtagent.kernel;

/** The run queue delay of the current thread. For that thread alone. */
public final class OwnRunDelay {
    private final ThreadTimes times;

    public OwnRunDelay() {
        this(new ThreadTimes());
    }

    OwnRunDelay(ThreadTimes times) {
        this.times = times;
    }

    /**
     * Returns the delay since the previous call, or since the thread began; 0 where the system does
     * not report it.
     */
    public long newNanos() {
        long beforeNanos = times.queuedNanos();
        times.read();
        return times.queuedNanos() - beforeNanos;
    }
}
