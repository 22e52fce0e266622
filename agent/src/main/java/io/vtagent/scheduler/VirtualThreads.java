package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.jspecify.annotations.Nullable;

/** Inspects virtual threads from other threads, and pins them. Thread-safe. */
public final class VirtualThreads {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final @Nullable Class<?> TYPE = type();

    /** The offset of a virtual thread's carrier. */
    private static final long CARRIER = TYPE == null ? 0 : JdkInternal.CARRIER_THREAD.offset();

    /**
     * The number of frames at the top of a parked thread's stack, from {@code VirtualThread} to
     * {@code LockSupport}.
     */
    private static final int PARKING_FRAMES = 4;

    private VirtualThreads() {}

    /**
     * Returns whether virtual threads share carriers in this JVM. With {@code
     * -XX:-VMContinuations}, and on platforms without continuations, each has a platform thread of
     * its own and cannot be pinned (java.lang.ThreadBuilders).
     */
    public static boolean haveCarriers() {
        Thread virtual = Thread.ofVirtual().unstarted(Thread.currentThread()); // never runs it
        return virtual.getClass().getName().equals(JdkInternal.VIRTUAL_THREAD.typeName());
    }

    /**
     * Returns whether a virtual thread that holds a monitor cannot unmount in this JVM. To find
     * out, a continuation on the current thread tries to yield with a monitor: nothing needs to
     * wait.
     */
    public static boolean monitorsPin() {
        AtomicBoolean pinned = new AtomicBoolean();
        ContinuationScope scope = new ContinuationScope("vt-agent");
        Runnable yielding =
                new Runnable() {
                    @Override
                    public void run() {
                        synchronized (UNSAFE) {
                            boolean unused = Continuation.yield(scope);
                        }
                    }
                };
        Continuation trial =
                new Continuation(scope, yielding) {
                    @Override
                    protected void onPinned(Pinned reason) {
                        pinned.set(reason.name().equals("MONITOR")); // JDK 26 has no such constant
                    }
                };
        while (!trial.isDone()) {
            trial.run();
        }
        return pinned.get();
    }

    /**
     * Returns whether {@code virtual} is mounted on {@code carrier} at this moment. Always true for
     * a thread of another class.
     */
    public static boolean isMounted(Thread virtual, Thread carrier) {
        return virtual.getClass() != TYPE
                || UNSAFE.getReferenceVolatile(virtual, CARRIER) == carrier;
    }

    /**
     * Returns the scheduler of {@code virtual}, which must be a virtual thread.
     *
     * @throws InternalError if this JDK has no such field
     */
    static Object schedulerOf(Thread virtual) {
        return UNSAFE.getReference(virtual, Scheduler.OFFSET);
    }

    /** Looked up only when it is needed. */
    private static final class Scheduler {
        static final long OFFSET = JdkInternal.THREAD_SCHEDULER.offset();

        private Scheduler() {}
    }

    /** Returns whether {@code virtual} is mounted on any carrier at this moment. */
    public static boolean isMounted(Thread virtual) {
        return virtual.getClass() == TYPE && UNSAFE.getReferenceVolatile(virtual, CARRIER) != null;
    }

    /**
     * Returns whether a parked thread has a time limit.
     *
     * @param thread a platform thread, which may be a held carrier, or a virtual thread without a
     *     carrier
     * @param frames returns the stack of a virtual thread whose state does not show the limit, as
     *     up to JDK 21; empty if the stack is not to be read
     */
    public static boolean isTimed(Thread thread, Supplier<List<StackTraceElement>> frames) {
        if (thread.getState() == Thread.State.TIMED_WAITING) {
            return true;
        }
        return thread.isVirtual()
                && thread.getState() == Thread.State.WAITING
                && frames.get().stream()
                        .limit(PARKING_FRAMES)
                        .anyMatch(frame -> frame.getMethodName().equals("parkNanos"));
    }

    /**
     * Prevents the JVM from unmounting the current virtual thread until {@link #unpin}. Calls nest.
     */
    public static void pin() {
        if (Thread.currentThread().isVirtual()) {
            Continuation.pin();
        }
    }

    /** Ends what {@link #pin} began. */
    public static void unpin() {
        if (Thread.currentThread().isVirtual()) {
            Continuation.unpin();
        }
    }

    /** Parks the current virtual thread, which cannot unmount meanwhile. */
    public static void parkPinned() {
        Continuation.pin();
        try {
            LockSupport.park();
        } finally {
            Continuation.unpin();
        }
    }

    /**
     * Returns an action that runs {@code task}, which must not throw, in the brackets that the JDK
     * puts around file I/O. Looking these up takes permissions, which a virtual thread does not
     * have under a security manager.
     *
     * @throws ReflectiveOperationException if {@code jdk.internal.misc.Blocker} has no such methods
     */
    public static Runnable bracketed(Runnable task) throws ReflectiveOperationException {
        Class<?> unused = JdkInternal.BLOCKER_BEGIN.initializedType();
        boolean isLong = JdkInternal.BLOCKER_BEGIN.method().getReturnType() == long.class;
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle begin =
                (isLong ? JdkInternal.BLOCKER_BEGIN_LONG : JdkInternal.BLOCKER_BEGIN)
                        .handle(lookup);
        MethodHandle end =
                (isLong ? JdkInternal.BLOCKER_END_LONG : JdkInternal.BLOCKER_END).handle(lookup);
        return () -> {
            try {
                if (isLong) {
                    long attempted = (long) begin.invokeExact();
                    task.run();
                    end.invokeExact(attempted);
                } else {
                    boolean attempted = (boolean) begin.invokeExact();
                    task.run();
                    end.invokeExact(attempted);
                }
            } catch (RuntimeException | Error failed) {
                throw failed;
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        };
    }

    private static @Nullable Class<?> type() {
        try {
            return JdkInternal.VIRTUAL_THREAD.initializedType();
        } catch (ClassNotFoundException missing) {
            return null;
        }
    }
}
