package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.thread.AgentThread;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.CarrierThread;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler of virtual threads for the agent alone, with carriers like the JDK's ({@code
 * VirtualThread.createDefaultScheduler}). A thread that runs here neither waits for a carrier of
 * the application nor takes one away. So the agent can run its self-tests on a virtual thread even
 * while every carrier is held. It is created as the JDK's own tests do it ({@code
 * java.lang.ThreadBuilders.VirtualThreadBuilder(Executor)}), which is the same on JDK 21 to 27.
 * Thread-safe.
 */
public final class OwnScheduler implements AutoCloseable {
    private static final long POLL_NANOS = 1_000_000;
    private static final long HOLD_NANOS = 2_000_000;

    /**
     * A thread that does not reach the awaited state within this time is given up: no wait is
     * unbounded.
     */
    private static final long MAX_NANOS = 30_000_000_000L;

    private final ForkJoinPool pool = new ForkJoinPool(1, new Carriers(), null, true);

    /**
     * A carrier of the agent. It is a {@code CarrierThread} because the brackets around file I/O
     * (jdk.internal.misc.Blocker) act only on carriers of that class.
     */
    private static final class OwnCarrier extends CarrierThread {
        OwnCarrier(ForkJoinPool pool) {
            super(pool);
            setName("vt-agent-carrier");
        }
    }

    private static final class Carriers implements ForkJoinPool.ForkJoinWorkerThreadFactory {
        @Override
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            return new OwnCarrier(pool);
        }
    }

    /** Keeps the exception that a thread threw. */
    private static final class Failure implements Thread.UncaughtExceptionHandler {
        private volatile @Nullable Throwable thrown;

        @Override
        public void uncaughtException(Thread thread, Throwable cause) {
            thrown = cause;
        }
    }

    /** Returns whether {@code carrier} belongs to a scheduler of this class. */
    public static boolean owns(Thread carrier) {
        return carrier instanceof OwnCarrier;
    }

    /**
     * A virtual thread of this scheduler, and the exception that its task threw, which is not
     * reported anywhere else.
     */
    public static final class Trial {
        private final Thread thread;
        private final Failure failure;
        private final long beganNanos = System.nanoTime();

        private Trial(Thread thread, Failure failure) {
            this.thread = thread;
            this.failure = failure;
        }

        /**
         * Waits until the thread is in the state {@code wanted}, or has ended.
         *
         * @throws LateException if that takes too long
         */
        public void await(Thread.State wanted) {
            while (thread.isAlive() && thread.getState() != wanted) {
                if (System.nanoTime() - beganNanos > MAX_NANOS) {
                    throw new LateException(thread.getState() + " and not " + wanted);
                }
                AgentThread.pause(POLL_NANOS);
            }
        }

        /** Unparks the thread, which waits in {@code LockSupport.park}. */
        public void unpark() {
            LockSupport.unpark(thread);
        }

        /**
         * Waits until the thread has ended.
         *
         * @throws LateException if that takes too long
         * @throws IllegalStateException with what the task threw, if it threw
         */
        public void join() {
            if (!AgentThread.join(thread, MAX_NANOS)) {
                throw new LateException(thread.getState() + " and not over");
            }
            Throwable thrown = failure.thrown;
            if (thrown != null) {
                throw new IllegalStateException(thrown.toString(), thrown);
            }
        }
    }

    /** Thrown if a virtual thread of the agent does not reach the expected state in time. */
    public static final class LateException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private LateException(String state) {
            super(
                    "a virtual thread of the agent's is "
                            + state
                            + " after "
                            + MAX_NANOS / 1_000_000_000
                            + " s");
        }
    }

    /**
     * Starts a virtual thread.
     *
     * @throws LinkageError if this JDK does not allow a scheduler to be chosen
     */
    public Trial start(Runnable task) {
        Failure failure = new Failure();
        try {
            Constructor<?> builder = JdkInternal.VIRTUAL_THREAD_BUILDER.constructor();
            builder.setAccessible(true);
            Thread thread =
                    ((Thread.Builder) builder.newInstance(pool))
                            .name("vt-agent")
                            .uncaughtExceptionHandler(failure)
                            .start(task);
            return new Trial(thread, failure);
        } catch (NoSuchMethodException | ClassNotFoundException | InstantiationException missing) {
            throw new LinkageError(
                    "this JDK does not let a scheduler of virtual threads be chosen: it has no "
                            + JdkInternal.VIRTUAL_THREAD_BUILDER,
                    missing);
        } catch (IllegalAccessException | InvocationTargetException refused) {
            throw new LinkageError("this JDK refuses a scheduler of virtual threads", refused);
        }
    }

    /**
     * Makes a virtual thread wait for {@code monitor} for at least 2 ms, and returns when that
     * thread has ended. The current thread owns the monitor meanwhile.
     *
     * @param entering enters {@code monitor}, on the virtual thread
     * @param whileContended runs on the current thread while the other one waits
     */
    public void contend(Object monitor, Runnable entering, Runnable whileContended) {
        Trial trial;
        synchronized (monitor) {
            trial = start(entering);
            trial.await(Thread.State.BLOCKED);
            whileContended.run();
            AgentThread.pause(HOLD_NANOS);
        }
        trial.join();
    }

    /**
     * Keeps a virtual thread in {@code monitor.wait()} while the current thread runs {@code
     * meanwhile}, and returns when that thread has ended.
     */
    public void waitOn(Object monitor, Runnable meanwhile) {
        AtomicBoolean over = new AtomicBoolean();
        Trial trial =
                start(
                        () -> {
                            synchronized (monitor) {
                                while (!over.get()) {
                                    try {
                                        monitor.wait();
                                    } catch (InterruptedException nobodyDoes) {
                                        return;
                                    }
                                }
                            }
                        });
        try {
            trial.await(Thread.State.WAITING);
            meanwhile.run();
        } finally {
            synchronized (monitor) {
                over.set(true);
                monitor.notifyAll();
            }
        }
        trial.join();
    }

    /** Lets the carriers end once the started threads have ended. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
