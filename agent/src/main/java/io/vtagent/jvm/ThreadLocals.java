package io.vtagent.jvm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The thread-local values of a thread of the agent that runs the application's code. That code may
 * leave values there for good.
 */
public final class ThreadLocals {
    private static final VarHandle OWN = field(JdkInternal.THREAD_LOCALS);
    private static final VarHandle INHERITABLE = field(JdkInternal.INHERITABLE_THREAD_LOCALS);

    private ThreadLocals() {}

    /**
     * Drops the values of the current thread, as the JDK does between the tasks of its common pool.
     */
    public static void forget() {
        Thread thread = Thread.currentThread();
        OWN.set(thread, null);
        INHERITABLE.set(thread, null);
    }

    private static VarHandle field(JdkInternal field) {
        try {
            return field.varHandle(
                    MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup()));
        } catch (ReflectiveOperationException missing) {
            throw field.changed(missing);
        }
    }
}
