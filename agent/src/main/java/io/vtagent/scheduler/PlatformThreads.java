package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Lists the platform threads of this JVM, carriers included. */
public final class PlatformThreads {
    private static final MethodHandle ALL = allHandle();

    private PlatformThreads() {}

    /** Returns those that are alive now. Stops no thread. */
    public static Thread[] all() {
        try {
            return (Thread[]) ALL.invokeExact();
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static MethodHandle allHandle() {
        try {
            return JdkInternal.ALL_THREADS.handle(
                    MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup()));
        } catch (ReflectiveOperationException missing) {
            throw JdkInternal.ALL_THREADS.changed(missing);
        }
    }
}
