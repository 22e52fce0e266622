package io.vtagent.site;

import io.vtagent.thread.AgentThread;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps reads of the stacks of mounted and platform threads apart from redefinitions of the
 * application's classes. After a redefinition, the JVM may free the old version of a method that
 * another thread has just left. {@code Thread.getStackTrace} of that thread can then read freed
 * memory, which ends the JVM (SIGSEGV in {@code java_lang_StackTraceElement::create}, measured on
 * JDK 21 to 27 by {@code ChurnForLong}).
 *
 * <p>A redefinition waits for the reads in progress. Afterwards no stack is read for a while
 * ({@link QuietTime}), in which the JVM redefines the class, and most threads leave the old
 * version. Thread-safe.
 */
public final class Redefinitions {
    private static final long MAX_READ_NANOS = 1_000_000_000;
    private static final long POLL_NANOS = 10_000_000;

    private static final AtomicInteger READS = new AtomicInteger();
    private static final QuietTime QUIET = new QuietTime();

    private Redefinitions() {}

    /**
     * Must be called when a class is about to be redefined. Waits until no stack is being read, at
     * most a second.
     */
    public static void begin() {
        begin(MAX_READ_NANOS);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a read takes some 50 us
    static void begin(long mostNanos) {
        long beganNanos = System.nanoTime();
        QUIET.redefined(beganNanos); // now, so that no other read begins
        while (READS.get() > 0 && System.nanoTime() - beganNanos < mostNanos) {
            Thread.yield(); // a virtual thread only spins here; if it parked, it would be pinned
        }
        QUIET.redefined(System.nanoTime()); // the wait may have been long
    }

    /** Forgets what was redefined until now. */
    public static void forget() {
        QUIET.forget();
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
    public static boolean areRecent() {
        return QUIET.contains(System.nanoTime());
    }

    /** Waits until stacks may be read, at most {@code mostNanos}. */
    public static void awaitQuiet(long mostNanos) {
        long beganNanos = System.nanoTime();
        while (areRecent()
                && System.nanoTime() - beganNanos < mostNanos
                && !AgentThread.isDetached()) {
            AgentThread.pause(POLL_NANOS);
        }
    }
}
