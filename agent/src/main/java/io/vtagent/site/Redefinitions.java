package io.vtagent.site;

import io.vtagent.thread.AgentThread;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps reads of other threads' stacks apart from redefinitions of the application's classes. After
 * a redefinition, the JVM may free the old version of a method that another thread has just left.
 * {@code Thread.getStackTrace} of that thread can then read freed memory, which ends the JVM
 * (SIGSEGV in {@code java_lang_StackTraceElement::create}, measured on JDK 21 to 27 by {@code
 * ChurnForLong}).
 *
 * <p>A redefinition waits for the reads in progress. Afterwards no stack is read for a second, in
 * which most threads leave the old version, and the JVM redefines the class. If classes are
 * redefined again and again, stacks stay unread for as long as that has lasted, at most a minute: a
 * thread that gets no CPU may need longer than a second. Thread-safe.
 */
public final class Redefinitions {
    private static final long MIN_QUIET_NANOS = 1_000_000_000;
    private static final long MAX_QUIET_NANOS = 60_000_000_000L;
    private static final long MAX_READ_NANOS = 1_000_000_000;
    private static final long POLL_NANOS = 10_000_000;

    private static final AtomicInteger READS = new AtomicInteger();

    /** When the first redefinition of the newest series began. */
    private static volatile long firstNanos = longAgo();

    private static volatile long newestNanos = firstNanos;

    private Redefinitions() {}

    /**
     * Must be called when a class is about to be redefined. Waits until no stack is being read, at
     * most a second.
     */
    public static void begin() {
        begin(MAX_READ_NANOS);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a virtual thread that parked here would be pinned
    static void begin(long mostNanos) {
        long nowNanos = System.nanoTime();
        if (!areRecent()) {
            firstNanos = nowNanos;
        }
        newestNanos = nowNanos;
        while (READS.get() > 0 && System.nanoTime() - nowNanos < mostNanos) {
            Thread.yield(); // a read takes some 50 us
        }
    }

    /** Forgets what was redefined until now. */
    public static void forget() {
        firstNanos = longAgo();
        newestNanos = firstNanos;
    }

    /**
     * Returns whether a stack may be read now. If so, {@link #endRead} must follow, and a
     * redefinition waits for it.
     */
    static boolean beginRead() {
        READS.incrementAndGet();
        boolean may = !areRecent();
        if (!may) {
            endRead();
        }
        return may;
    }

    static void endRead() {
        READS.decrementAndGet();
    }

    /** Returns whether no stack may be read because of a redefinition. */
    static boolean areRecent() {
        long newest = newestNanos;
        return System.nanoTime() - newest < quietNanos(newest - firstNanos);
    }

    /** Returns for how long no stack is read after a series of redefinitions. */
    static long quietNanos(long lastedNanos) {
        return Math.clamp(lastedNanos, MIN_QUIET_NANOS, MAX_QUIET_NANOS);
    }

    /** Waits until stacks may be read, at most {@code mostNanos}. */
    public static void awaitQuiet(long mostNanos) {
        long beganNanos = System.nanoTime();
        while (areRecent() && System.nanoTime() - beganNanos < mostNanos && !AgentThread.isOver()) {
            AgentThread.pause(POLL_NANOS);
        }
    }

    private static long longAgo() {
        return System.nanoTime() - MAX_QUIET_NANOS;
    }
}
