package io.vtagent.bench.program;

import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;

/** Pins on every JDK, by a native frame: needs {@code -Djdk.reflect.useNativeAccessorOnly=true}. */
final class NativePin {
    static final Method PARK = method();

    private NativePin() {}

    /** The operating system adds some 60 us. */
    static void park(long nanos) {
        try {
            PARK.invoke(null, nanos);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    static void parkNanos(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    private static Method method() {
        try {
            return NativePin.class.getDeclaredMethod("parkNanos", long.class);
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
