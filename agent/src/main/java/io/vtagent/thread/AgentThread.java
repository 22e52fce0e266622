package io.vtagent.thread;

import io.vtagent.log.AgentLog;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads of the agent: platform threads, so that they run when every carrier is held, and daemons. What escapes their task is a line
 * on stderr: the application's default handler of uncaught exceptions, which may well halt the JVM, never hears of it. When the agent is
 * detached, all of them {@link #endAll end}: a task that goes on and on asks {@link #isOver}, and no wait here lasts from then on.
 * Thread-safe.
 */
public final class AgentThread {
    /** The longest until a wait for something else notices that all is over. */
    private static final long SLICE_NANOS = 50_000_000;

    private static final Set<Thread> RUNNING = ConcurrentHashMap.newKeySet();
    private static volatile boolean over;

    private AgentThread() {}

    private static final class Own extends Thread {
        private static final long ANY_STACK_SIZE = 0;

        Own(String name, Runnable task) {
            super(null, task, name, ANY_STACK_SIZE, false);
            setDaemon(true);
            setUncaughtExceptionHandler(AgentThread::ended);
            // what threads of the JDK inherit that this one starts, and keep when the agent is detached
            setContextClassLoader(ClassLoader.getPlatformClassLoader());
        }

        /** Whoever starts it learns that there is no memory for it. */
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

    /** Whether the agent was detached, so that its threads are to end. */
    public static boolean isOver() {
        return over;
    }

    /**
     * Has all threads end but the current one.
     *
     * @param mostNanos how long that may take
     * @return whether they have
     */
    public static boolean endAll(long mostNanos) {
        over = true;
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
            if (!over) { // or it ought to end, such as one that starts a stream which is closed already
                AgentLog.error("thread " + thread.getName() + " has ended: " + cause);
            }
            AgentLog.debug("the cause:", cause);
        } catch (Throwable noMemory) {
            // then nobody can be told
        }
    }

    /** Pauses the current thread for {@code nanos}, also if somebody interrupts it, unless all {@link #isOver is over}. */
    public static void pause(long nanos) {
        long beganNanos = System.nanoTime();
        for (long leftNanos = nanos; leftNanos > 0 && !over; leftNanos = nanos - (System.nanoTime() - beganNanos)) {
            LockSupport.parkNanos(leftNanos);
            Thread.interrupted(); // the application's doing: with the status set, no park would last
        }
    }

    /**
     * Waits until {@link #countDown} has brought {@code latch} to zero, but no longer than {@code mostNanos}, nor when all {@link #isOver is over}, also if somebody
     * interrupts the current thread.
     *
     * @return whether it is
     */
    public static boolean await(CountDownLatch latch, long mostNanos) {
        long beganNanos = System.nanoTime();
        while (latch.getCount() > 0) {
            long leftNanos = mostNanos - (System.nanoTime() - beganNanos);
            if (leftNanos <= 0 || over) {
                return false;
            }
            // not by the latch, whose await allocates, and never returns if there is no memory for that (acquireOnOOME)
            LockSupport.parkNanos(Math.min(leftNanos, SLICE_NANOS));
            Thread.interrupted(); // the application's doing
        }
        return true;
    }

    /** Counts {@code latch} down, and wakes the agent's thread that may {@link #await} it. */
    public static void countDown(CountDownLatch latch) {
        latch.countDown();
        RUNNING.forEach(LockSupport::unpark);
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
