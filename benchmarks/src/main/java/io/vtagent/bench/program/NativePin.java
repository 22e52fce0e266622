package io.vtagent.bench.program;

import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;

/** Pins on every JDK, by a native frame: needs {@code -Djdk.reflect.useNativeAccessorOnly=true}. */
final class NativePin {
    static final Method PARK = method("parkNanos");
    private static final Method PARK_OFTEN = method("parkOften");

    private NativePin() {}

    /** The operating system adds some 60 us. */
    static void park(long nanos) {
        invoke(PARK, nanos);
    }

    /** Pins so many times, for hardly any time: there is a permit already. */
    static void often(long times) {
        invoke(PARK_OFTEN, times);
    }

    static void parkNanos(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    static void parkOften(long times) {
        for (long i = 0; i < times; i++) {
            LockSupport.parkNanos(1);
        }
    }

    private static void invoke(Method method, long argument) {
        try {
            method.invoke(null, argument);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Method method(String name) {
        try {
            return NativePin.class.getDeclaredMethod(name, long.class);
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
