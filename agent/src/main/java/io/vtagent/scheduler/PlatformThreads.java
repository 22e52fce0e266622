package io.vtagent.scheduler;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

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
            return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
                    .findStatic(
                            Thread.class, "getAllThreads", MethodType.methodType(Thread[].class));
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError("java.lang.Thread.getAllThreads is not what it was", missing);
        }
    }
}
