package io.vtagent.vm;

import java.lang.reflect.Field;
import jdk.internal.access.SharedSecrets;

/**
 * Runs a task when the JVM ends and all shutdown hooks of the application have ended, whatever they took: as the last of the JDK's own
 * hooks ({@code java.lang.Shutdown}).
 */
public final class AfterShutdownHooks {
    /** The last one; the JDK uses the first three. */
    private static final int SLOT = 9;

    private AfterShutdownHooks() {}

    /**
     * To be called once. Whatever {@code task} throws is ignored.
     *
     * @throws LinkageError if this JDK does not offer it
     * @throws IllegalStateException if the JVM has nearly ended
     */
    public static void run(Runnable task) {
        SharedSecrets.getJavaLangAccess().registerShutdownHook(SLOT, true, task);
    }

    /**
     * Runs nothing then. The JDK offers no such thing: it is done in its field.
     *
     * @throws ReflectiveOperationException if this JDK has another
     */
    public static void forget() throws ReflectiveOperationException {
        Class<?> shutdown = Class.forName("java.lang.Shutdown");
        Field hooks = shutdown.getDeclaredField("hooks");
        hooks.setAccessible(true);
        ((Runnable[]) hooks.get(null))[SLOT] = null;
    }
}
