package io.vtagent.site;

/**
 * The time after redefinitions of classes in which no stacks are read: a second, or as long as they
 * have gone on without a gap of some seconds, at most a minute. On a machine that is overloaded, a
 * second may not suffice to redefine the classes. Thread-safe.
 */
final class QuietTime {
    private static final long MIN_NANOS = 1_000_000_000;
    private static final long MAX_NANOS = 60_000_000_000L;
    private static final long MAX_GAP_NANOS = 3_000_000_000L;

    private boolean any;
    private long firstNanos;
    private long newestNanos;
    private long endNanos;

    /** Adds a redefinition at this time, as {@link System#nanoTime}. */
    synchronized void redefined(long nowNanos) {
        if (!any || nowNanos - newestNanos > MAX_GAP_NANOS) {
            firstNanos = nowNanos;
        }
        newestNanos = nowNanos;
        long wantedNanos = nowNanos + Math.clamp(nowNanos - firstNanos, MIN_NANOS, MAX_NANOS);
        if (!any || wantedNanos - endNanos > 0) {
            endNanos = wantedNanos;
        }
        any = true;
    }

    /** Returns whether this time is part of it. */
    synchronized boolean contains(long nowNanos) {
        return any && nowNanos - endNanos < 0;
    }

    synchronized void forget() {
        any = false;
    }
}
