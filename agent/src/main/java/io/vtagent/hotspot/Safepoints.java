package io.vtagent.hotspot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

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
            Class<?> helper = Class.forName("sun.management.ManagementFactoryHelper");
            Class<?> runtime = Class.forName("sun.management.HotspotRuntimeMBean");
            MethodHandles.Lookup lookup =
                    MethodHandles.privateLookupIn(helper, MethodHandles.lookup());
            Object bean =
                    lookup.findStatic(
                                    helper,
                                    "getHotspotRuntimeMBean",
                                    MethodType.methodType(runtime))
                            .invoke();
            MethodType number = MethodType.methodType(long.class);
            count = lookup.findVirtual(runtime, "getSafepointCount", number).bindTo(bean);
            stoppedMillis =
                    lookup.findVirtual(runtime, "getTotalSafepointTime", number).bindTo(bean);
        } catch (Throwable missing) {
            throw new LinkageError(
                    "sun.management.HotspotRuntimeMBean is not what it was", missing);
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
