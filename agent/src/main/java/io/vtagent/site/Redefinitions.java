package io.vtagent.site;

import io.vtagent.thread.AgentThread;

/**
 * The time of redefinitions of the application's classes. After one, the JVM may free the old
 * version of a method that another thread has just left. {@code Thread.getStackTrace} of that
 * thread can then read freed memory, which ends the JVM (SIGSEGV in {@code
 * java_lang_StackTraceElement::create}, measured on JDK 21 to 27 by {@code ChurnForLong}). Most
 * threads leave an old version soon, so to read no stacks for a second makes that improbable,
 * though not impossible. Thread-safe.
 */
public final class Redefinitions {
    /** The JVM redefines classes some time after it has asked the transformers. */
    private static final long QUIET_NANOS = 1_000_000_000;

    private static final long POLL_NANOS = 10_000_000;

    private static volatile long newestNanos = longAgo();

    private Redefinitions() {}

    /** Must be called when a class is about to be redefined. */
    public static void begin() {
        newestNanos = System.nanoTime();
    }

    /** Forgets what was redefined until now. */
    public static void forget() {
        newestNanos = longAgo();
    }

    /** Returns whether classes were redefined within the past second. */
    static boolean areRecent() {
        return System.nanoTime() - newestNanos < QUIET_NANOS;
    }

    /** Waits until no class has been redefined for a second. */
    public static void awaitQuiet(long mostNanos) {
        long beganNanos = System.nanoTime();
        while (areRecent() && System.nanoTime() - beganNanos < mostNanos && !AgentThread.isOver()) {
            AgentThread.pause(POLL_NANOS);
        }
    }

    private static long longAgo() {
        return System.nanoTime() - QUIET_NANOS;
    }
}
