package io.vtagent.jvm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The thread-local values of a thread of the agent that runs the application's code. That code may
 * leave values there for good.
 */
public final class ThreadLocals {
    private static final VarHandle OWN = field("threadLocals");
    private static final VarHandle INHERITABLE = field("inheritableThreadLocals");

    private ThreadLocals() {}

    /**
     * Drops the values of the current thread, as the JDK does between the tasks of its common pool.
     */
    public static void forget() {
        Thread thread = Thread.currentThread();
        OWN.set(thread, null);
        INHERITABLE.set(thread, null);
    }

    private static VarHandle field(String name) {
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            Class<?> type = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
            return lookup.findVarHandle(Thread.class, name, type);
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError("java.lang.Thread." + name + " is not what it was", missing);
        }
    }
}
