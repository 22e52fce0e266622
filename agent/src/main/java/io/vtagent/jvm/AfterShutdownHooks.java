package io.vtagent.jvm;

import java.lang.reflect.Field;
import jdk.internal.access.SharedSecrets;

/**
 * Runs a task when the JVM ends, after all shutdown hooks of the application have ended, however
 * long they took. The task is the last of the JDK's own hooks ({@code java.lang.Shutdown}).
 */
public final class AfterShutdownHooks {
    /** The last slot; the JDK uses the first three. */
    private static final int SLOT = 9;

    private AfterShutdownHooks() {}

    /**
     * Registers {@code task}. Must be called once only. Exceptions of {@code task} are ignored.
     *
     * @throws LinkageError if this JDK does not offer this
     * @throws IllegalStateException if the JVM has nearly ended
     */
    public static void run(Runnable task) {
        SharedSecrets.getJavaLangAccess().registerShutdownHook(SLOT, true, task);
    }

    /**
     * Removes the task. The JDK has no method for this, so it is done in the JDK's field.
     *
     * @throws ReflectiveOperationException if this JDK has no such field
     */
    public static void forget() throws ReflectiveOperationException {
        Field hooks = JdkInternal.SHUTDOWN_HOOKS.field();
        hooks.setAccessible(true);
        ((Runnable[]) hooks.get(null))[SLOT] = null;
    }
}
