package io.vtagent.vm;

import io.vtagent.thread.AgentThread;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.internal.misc.CarrierThread;

/**
 * A scheduler of virtual threads that is the agent's own, with carriers like those of the JDK's ({@code
 * VirtualThread.createDefaultScheduler}). What runs here neither waits for a carrier of the application nor takes one away, so the
 * agent can try out on a virtual thread what it wants to know while every carrier is held. The way to get one is that of the JDK's
 * own tests ({@code java.lang.ThreadBuilders.VirtualThreadBuilder(Executor)}), and is the same on JDK 21 to 27. Thread-safe.
 */
public final class OwnScheduler implements AutoCloseable {
    private static final long POLL_NANOS = 1_000_000;
    private static final long HOLD_NANOS = 2_000_000;

    private final ForkJoinPool pool = new ForkJoinPool(1, OwnCarrier::new, null, true);

    /** A carrier of the agent's. The brackets around file I/O only look at those of this class (jdk.internal.misc.Blocker). */
    private static final class OwnCarrier extends CarrierThread {
        OwnCarrier(ForkJoinPool pool) {
            super(pool);
            setName("vt-agent-carrier");
        }
    }

    /** Whether {@code carrier} belongs to a scheduler of this class. */
    public static boolean owns(Thread carrier) {
        return carrier instanceof OwnCarrier;
    }

    /**
     * Starts a virtual thread.
     *
     * @throws LinkageError if this JDK does not let a scheduler be chosen
     */
    public Thread start(Runnable task) {
        try {
            Constructor<?> builder = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            builder.setAccessible(true);
            return ((Thread.Builder) builder.newInstance(pool)).name("vt-agent").start(task);
        } catch (NoSuchMethodException | ClassNotFoundException | InstantiationException missing) {
            throw new LinkageError("this JDK does not let a scheduler of virtual threads be chosen", missing);
        } catch (IllegalAccessException | InvocationTargetException refused) {
            throw new LinkageError("this JDK refuses a scheduler of virtual threads", refused);
        }
    }

    /**
     * Has a virtual thread wait for {@code monitor}, which {@code entering} enters, for at least 2 ms, and returns when that thread has
     * ended. The current thread owns the monitor meanwhile.
     *
     * @param whileContended what the current thread does while the other one waits
     */
    public void contend(Object monitor, Runnable entering, Runnable whileContended) {
        Thread thread;
        synchronized (monitor) {
            thread = start(entering);
            while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
                AgentThread.pause(POLL_NANOS);
            }
            whileContended.run();
            AgentThread.pause(HOLD_NANOS);
        }
        AgentThread.join(thread, Long.MAX_VALUE);
    }

    /** Has a virtual thread be in {@code monitor.wait()} while the current thread does {@code meanwhile}, and returns when that thread has ended. */
    public void waitOn(Object monitor, Runnable meanwhile) {
        AtomicBoolean over = new AtomicBoolean();
        Thread thread = start(() -> {
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
            while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
                AgentThread.pause(POLL_NANOS);
            }
            meanwhile.run();
        } finally {
            synchronized (monitor) {
                over.set(true);
                monitor.notifyAll();
            }
        }
        AgentThread.join(thread, Long.MAX_VALUE);
    }

    /** Lets the carriers end, when the threads that were started have. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
