package io.vtagent.hotspot;

import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * Counts the safepoints at which the JVM stopped all threads, for example for a garbage collection,
 * and measures their pauses. A query costs less than 1 &micro;s. Thread-safe.
 */
public final class Safepoints {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final MethodHandle count;
    private final MethodHandle stoppedMillis;

    /**
     * @throws LinkageError if this JVM does not provide the figures
     */
    public Safepoints() {
        try {
            Class<?> helper = JdkInternal.RUNTIME_BEAN.initializedType();
            MethodHandles.Lookup lookup =
                    MethodHandles.privateLookupIn(helper, MethodHandles.lookup());
            Object bean = JdkInternal.RUNTIME_BEAN.handle(lookup).invoke();
            count = JdkInternal.SAFEPOINT_COUNT.handle(lookup).bindTo(bean);
            stoppedMillis = JdkInternal.SAFEPOINT_TIME.handle(lookup).bindTo(bean);
        } catch (Throwable missing) {
            throw JdkInternal.RUNTIME_BEAN.changed(missing);
        }
    }

    /** Returns the number so far; always -1 with {@code -XX:-UsePerfData} (runtimeService.cpp). */
    public long count() {
        return ask(count);
    }

    /**
     * Returns the total of all pauses so far, rounded down to milliseconds; always 0 with {@code
     * -XX:-UsePerfData} (runtimeService.cpp).
     */
    public long stoppedNanos() {
        return Math.max(ask(stoppedMillis), 0) * NANOS_PER_MILLI;
    }

    private static long ask(MethodHandle figure) {
        try {
            return (long) figure.invokeExact();
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
