package io.vtagent.thread;

import io.vtagent.log.AgentLog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads of the agent: platform threads, so that they run when every carrier is held, and daemons. What escapes their task is a line
 * on stderr: the application's default handler of uncaught exceptions, which may well halt the JVM, never hears of it. Thread-safe.
 */
public final class AgentThread {
    private AgentThread() {}

    private static final class Own extends Thread {
        private static final long ANY_STACK_SIZE = 0;

        Own(String name, Runnable task) {
            super(null, task, name, ANY_STACK_SIZE, false);
            setDaemon(true);
            setUncaughtExceptionHandler(AgentThread::ended);
            setContextClassLoader(AgentThread.class.getClassLoader());
        }
    }

    /** Starts a thread that runs {@code task}. */
    public static Thread start(String name, Runnable task) {
        Thread thread = unstarted(name, task);
        thread.start();
        return thread;
    }

    /** A thread that is yet to be started. It inherits nothing from the one that calls this. */
    public static Thread unstarted(String name, Runnable task) {
        return new Own(name, task);
    }

    /** Whether the current thread is one of these. */
    public static boolean isCurrent() {
        return Thread.currentThread() instanceof Own;
    }

    private static void ended(Thread thread, Throwable cause) {
        try {
            AgentLog.error("thread " + thread.getName() + " has ended: " + cause);
            AgentLog.debug("the cause:", cause);
        } catch (Throwable noMemory) {
            // then nobody can be told
        }
    }

    /** Pauses the current thread for {@code nanos}, also if somebody interrupts it. */
    public static void pause(long nanos) {
        long beganNanos = System.nanoTime();
        for (long leftNanos = nanos; leftNanos > 0; leftNanos = nanos - (System.nanoTime() - beganNanos)) {
            LockSupport.parkNanos(leftNanos);
            Thread.interrupted(); // the application's doing: with the status set, no park would last
        }
    }

    /**
     * Waits until {@code latch} is at zero, but no longer than {@code mostNanos}, also if somebody interrupts the current thread.
     *
     * @return whether it is
     */
    public static boolean await(CountDownLatch latch, long mostNanos) {
        long beganNanos = System.nanoTime();
        while (true) {
            try {
                return latch.await(mostNanos - (System.nanoTime() - beganNanos), TimeUnit.NANOSECONDS);
            } catch (InterruptedException later) {
                // the application's doing
            }
        }
    }

    /**
     * Waits until {@code thread} has ended, but no longer than {@code mostNanos}, also if somebody interrupts the current thread.
     *
     * @return whether it has ended
     */
    public static boolean join(Thread thread, long mostNanos) {
        long beganNanos = System.nanoTime();
        while (thread.isAlive()) {
            long leftMillis = (mostNanos - (System.nanoTime() - beganNanos)) / 1_000_000;
            if (leftMillis <= 0) {
                return false;
            }
            try {
                thread.join(leftMillis);
            } catch (InterruptedException later) {
                // the application's doing
            }
        }
        return true;
    }
}
