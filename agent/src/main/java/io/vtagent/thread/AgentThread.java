package io.vtagent.thread;

import io.vtagent.log.AgentLog;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * The agent's threads. They are platform threads, so that they run when every carrier is held, and
 * daemons. An exception that escapes a task is logged as one line on stderr; the application's
 * default handler of uncaught exceptions, which may halt the JVM, is not called. When the agent is
 * detached, {@link #endAll} ends all of them: a task that loops checks {@link #isDetached}, and
 * {@link #pause} and {@link #await} return from then on. Thread-safe.
 */
public final class AgentThread {
    /** The longest time until {@link #await} notices that the agent is detached. */
    private static final long SLICE_NANOS = 50_000_000;

    private static final Set<Thread> RUNNING = ConcurrentHashMap.newKeySet();
    private static volatile boolean detached;

    private AgentThread() {}

    private static final class Own extends Thread implements Thread.UncaughtExceptionHandler {
        private static final long ANY_STACK_SIZE = 0;

        Own(String name, Runnable task) {
            super(null, task, name, ANY_STACK_SIZE, false);
            setDaemon(true);
            setUncaughtExceptionHandler(this);
            // JDK threads that this thread starts inherit this, and keep it when the agent is
            // detached
            setContextClassLoader(ClassLoader.getPlatformClassLoader());
        }

        /** Throws to the caller if there is no memory for the thread. */
        @Override
        public void start() {
            RUNNING.add(this);
            boolean started = false;
            try {
                super.start();
                started = true;
            } finally {
                if (!started) {
                    RUNNING.remove(this);
                }
            }
        }

        @Override
        public void run() {
            try {
                super.run();
            } finally {
                RUNNING.remove(this);
            }
        }

        @Override
        public void uncaughtException(Thread thread, Throwable cause) {
            ended(thread, cause);
        }
    }

    /** Starts a thread that runs {@code task}. */
    public static Thread start(String name, Runnable task) {
        Thread thread = unstarted(name, task);
        thread.start();
        return thread;
    }

    /**
     * Creates a thread without starting it. It inherits the thread group and the priority of the
     * calling thread, but no thread-local variable and no context class loader.
     */
    public static Thread unstarted(String name, Runnable task) {
        return new Own(name, task);
    }

    /** Returns the id of a thread that is created now. */
    public static long newId() {
        return new Own("vt-agent", Thread.currentThread()).threadId(); // never runs it
    }

    /** Returns whether the current thread is one of the agent's. */
    public static boolean isCurrent() {
        return Thread.currentThread() instanceof Own;
    }

    /** Returns whether {@code thread} is one of the agent's. */
    public static boolean owns(Thread thread) {
        return thread instanceof Own;
    }

    /** Returns whether the agent was detached, so that its threads must end. */
    public static boolean isDetached() {
        return detached;
    }

    /**
     * Ends all threads except the current one.
     *
     * @param mostNanos the longest time to wait for them
     * @return whether they have ended
     */
    public static boolean endAll(long mostNanos) {
        detached = true;
        long beganNanos = System.nanoTime();
        while (RUNNING.stream().anyMatch(thread -> thread != Thread.currentThread())) {
            if (System.nanoTime() - beganNanos > mostNanos) {
                return false;
            }
            RUNNING.forEach(LockSupport::unpark);
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    private static void ended(Thread thread, Throwable cause) {
        try {
            if (!detached) { // after a detach, failures are expected
                AgentLog.error("thread " + thread.getName() + " has ended: " + cause);
            }
            AgentLog.debug("the cause:", cause);
        } catch (Throwable noMemory) {
            // cannot be logged either
        }
    }

    /**
     * Pauses the current thread for {@code nanos}, even if it is interrupted. Returns early when
     * the agent is {@link #isDetached detached}.
     */
    public static void pause(long nanos) {
        long beganNanos = System.nanoTime();
        for (long leftNanos = nanos;
                leftNanos > 0 && !detached;
                leftNanos = nanos - (System.nanoTime() - beganNanos)) {
            LockSupport.parkNanos(leftNanos);
            Thread.interrupted(); // by the application; while it is set, parking returns at once
        }
    }

    /**
     * Waits up to {@code mostNanos} until {@link #countDown} has brought {@code latch} to zero,
     * even if the current thread is interrupted. Stops waiting when the agent is {@link #isDetached
     * detached}.
     *
     * @return whether the latch is at zero
     */
    public static boolean await(CountDownLatch latch, long mostNanos) {
        long beganNanos = System.nanoTime();
        while (latch.getCount() > 0) {
            long leftNanos = mostNanos - (System.nanoTime() - beganNanos);
            if (leftNanos <= 0 || detached) {
                return false;
            }
            // not with the latch: its await allocates, and never returns without memory
            // (acquireOnOOME)
            LockSupport.parkNanos(Math.min(leftNanos, SLICE_NANOS));
            Thread.interrupted(); // by the application
        }
        return true;
    }

    /**
     * Counts {@code latch} down and wakes the agent's threads, one of which may {@link #await} it.
     */
    public static void countDown(CountDownLatch latch) {
        latch.countDown();
        RUNNING.forEach(LockSupport::unpark);
    }

    /**
     * Waits up to {@code mostNanos} until {@code thread} has ended, even if the current thread is
     * interrupted.
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
                // by the application
            }
        }
        return true;
    }
}
