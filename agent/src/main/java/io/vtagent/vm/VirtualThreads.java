package io.vtagent.vm;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import jdk.internal.vm.Continuation;
import org.jspecify.annotations.Nullable;

/** What can be asked about virtual threads from outside. Thread-safe. */
public final class VirtualThreads {
    private static final @Nullable Field CARRIER = carrierField();

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
        try {
            return CARRIER == null || CARRIER.get(virtual) == carrier;
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Whether {@code virtual} is mounted on any carrier at this moment. */
    public static boolean isMounted(Thread virtual) {
        try {
            return CARRIER != null && CARRIER.get(virtual) != null;
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
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
     * Runs {@code task} in the brackets that the JDK puts around file I/O.
     *
     * @throws ReflectiveOperationException if {@code jdk.internal.misc.Blocker} has no such methods
     */
    public static void runBracketed(Runnable task) throws ReflectiveOperationException {
        Class<?> blocker = Class.forName("jdk.internal.misc.Blocker");
        Method begin = blocker.getMethod("begin");
        Method end = blocker.getMethod("end", begin.getReturnType());
        Object attempt = begin.invoke(null);
        try {
            task.run();
        } finally {
            end.invoke(null, attempt);
        }
    }

    private static @Nullable Field carrierField() {
        try {
            Field field = Class.forName("java.lang.VirtualThread").getDeclaredField("carrierThread");
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException missing) {
            return null;
        }
    }
}
