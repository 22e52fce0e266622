package io.vtagent.vm;

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
}
