package io.vtagent.diagnosis;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link ThreadGroups} on request, at a limited rate. A reading is kept for fifty times the
 * CPU time that it took, so that all readings together take at most 2 % of a CPU, but no longer
 * than half a minute. One thread reads; others that ask meanwhile get the last reading.
 * Thread-safe.
 */
public final class PacedThreadGroups {
    /** The maximum number of waiting threads whose stacks are read. */
    public static final int MAX_STACKS = 2_000;

    /** The time after which a reading stops and returns what it has. */
    private static final long MAX_READ_NANOS = 2_000_000_000;

    /** The longest time to wait for the first reading. */
    private static final long MAX_WAIT_NANOS = 4_000_000_000L;

    private static final long PAUSE_PER_CPU_TIME = 50;
    private static final long MIN_KEPT_NANOS = 1_000_000_000;
    private static final long MAX_KEPT_NANOS = 30_000_000_000L;

    private final ThreadGroupReader reader;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Kept kept;

    private record Kept(ThreadGroups groups, long readNanos, long expiresNanos) {
        Reading at(long nowNanos) {
            return new Reading(groups, nowNanos - readNanos, Math.max(expiresNanos - nowNanos, 0));
        }
    }

    /**
     * A reading and its age.
     *
     * @param nextNanos the time until the next reading can be made
     */
    public record Reading(ThreadGroups groups, long ageNanos, long nextNanos) {}

    public PacedThreadGroups(ThreadGroupReader reader) {
        this.reader = reader;
    }

    /** Returns why there never is a reading; null if there can be one. */
    public @Nullable String failure() {
        return reader.failure();
    }

    /**
     * Returns the newest reading, which is made now if the last one has been kept long enough.
     *
     * @return null if there is none: it cannot be made, or another thread has been making the first
     *     one for some seconds
     */
    public @Nullable Reading newest() {
        long nowNanos = System.nanoTime();
        Kept known = kept;
        if (known != null && known.expiresNanos - nowNanos > 0) {
            return known.at(nowNanos);
        }
        if (!isOurs(known == null ? MAX_WAIT_NANOS : 0)) {
            Kept last = kept;
            return last == null ? null : last.at(System.nanoTime());
        }
        try {
            Kept newest = kept;
            if (newest == known) {
                newest = read();
                kept = newest;
            }
            return newest == null ? null : newest.at(System.nanoTime());
        } finally {
            reading.unlock();
        }
    }

    private boolean isOurs(long mostNanos) {
        try {
            return reading.tryLock(mostNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException byTheApplication) {
            return false;
        }
    }

    private @Nullable Kept read() {
        long beganNanos = System.nanoTime();
        long cpuNanos = cpuNanos();
        ThreadGroups groups = reader.read(MAX_STACKS, beganNanos + MAX_READ_NANOS);
        if (groups == null) {
            return null;
        }
        long nowNanos = System.nanoTime();
        long usedNanos = cpuNanos < 0 ? nowNanos - beganNanos : cpuNanos() - cpuNanos;
        return new Kept(groups, nowNanos, nowNanos + keptNanos(usedNanos));
    }

    /** Returns how long a reading that took {@code usedNanos} of CPU time is kept. */
    static long keptNanos(long usedNanos) {
        return Math.clamp(usedNanos * PAUSE_PER_CPU_TIME, MIN_KEPT_NANOS, MAX_KEPT_NANOS);
    }

    /** Returns the CPU time of the current thread, or -1. */
    private long cpuNanos() {
        try {
            return threads.getCurrentThreadCpuTime();
        } catch (UnsupportedOperationException unknown) {
            return -1;
        }
    }
}
