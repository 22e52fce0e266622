package io.vtagent;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits until the application's own code runs in the JVM's first thread. What the agent starts before could bring up a logging
 * framework that the application means to replace: the JDK's HTTP server asks for a {@code System.Logger}.
 */
final class ApplicationStart {
    private static final long POLL_NANOS = 2_000_000;

    private ApplicationStart() {}

    /** Returns when {@code first} is in {@code main}, or has ended. */
    static void await(Thread first) {
        while (first.isAlive() && !inMain(first.getStackTrace())) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Whether the outermost frame is the application's, and more than the initializer of its main class. */
    private static boolean inMain(StackTraceElement[] stack) {
        if (stack.length == 0) {
            return false;
        }
        StackTraceElement outermost = stack[stack.length - 1];
        String method = outermost.getMethodName();
        String type = outermost.getClassName();
        boolean launcher = type.startsWith("sun.") || type.startsWith("java.") || type.startsWith("jdk.");
        return method.equals("main") || !(launcher || method.equals("<clinit>"));
    }
}
