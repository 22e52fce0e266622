package io.vtagent.bench.service;

import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds the carrier for some 80 us: needs {@code -Djdk.reflect.useNativeAccessorOnly=true}, which
 * pins on every JDK.
 */
final class Pin {
    /** The operating system adds some 60. */
    private static final long PARK_NANOS = 20_000;

    private static final Method PARK = park();

    private Pin() {}

    static void once() throws ReflectiveOperationException {
        PARK.invoke(null);
    }

    static void parkAboveNativeFrame() {
        LockSupport.parkNanos(PARK_NANOS);
    }

    private static Method park() {
        try {
            return Pin.class.getDeclaredMethod("parkAboveNativeFrame");
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
