package io.vtagent.vm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import org.jspecify.annotations.Nullable;

/** What can be asked about virtual threads from outside. Thread-safe. */
public final class VirtualThreads {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final @Nullable Class<?> TYPE = type();
    /** Where a virtual thread has its carrier. */
    private static final long CARRIER = TYPE == null ? 0 : UNSAFE.objectFieldOffset(TYPE, "carrierThread");

    private VirtualThreads() {}

    /**
     * Whether virtual threads share carriers in this JVM. With {@code -XX:-VMContinuations}, and on platforms without
     * continuations, each has a platform thread of its own and nothing can be pinned (java.lang.ThreadBuilders).
     */
    public static boolean haveCarriers() {
        Thread virtual = Thread.ofVirtual().unstarted(() -> {});
        return virtual.getClass().getName().equals("java.lang.VirtualThread");
    }

    /** Whether {@code virtual} is mounted on {@code carrier} at this moment. */
    public static boolean isMounted(Thread virtual, Thread carrier) {
        return virtual.getClass() != TYPE || UNSAFE.getReferenceVolatile(virtual, CARRIER) == carrier;
    }

    /** Whether {@code virtual} is mounted on any carrier at this moment. */
    public static boolean isMounted(Thread virtual) {
        return virtual.getClass() == TYPE && UNSAFE.getReferenceVolatile(virtual, CARRIER) != null;
    }

    /** From here to {@link #unpin} the JVM does not unmount the current virtual thread. Calls nest. */
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

    /**
     * Runs {@code task}, which does not throw, in the brackets that the JDK puts around file I/O.
     *
     * @throws ReflectiveOperationException if {@code jdk.internal.misc.Blocker} has no such methods
     */
    public static void runBracketed(Runnable task) throws ReflectiveOperationException {
        Class<?> blocker = Class.forName("jdk.internal.misc.Blocker");
        Class<?> attempt = blocker.getMethod("begin").getReturnType();
        MethodHandle begin = MethodHandles.lookup().findStatic(blocker, "begin", MethodType.methodType(attempt));
        MethodHandle end =
                MethodHandles.lookup().findStatic(blocker, "end", MethodType.methodType(void.class, attempt));
        try {
            if (attempt == long.class) { // up to JDK 22
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
    }

    private static @Nullable Class<?> type() {
        try {
            return Class.forName("java.lang.VirtualThread");
        } catch (ClassNotFoundException missing) {
            return null;
        }
    }
}
