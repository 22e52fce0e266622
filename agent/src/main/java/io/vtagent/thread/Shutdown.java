package io.vtagent.thread;

/** Whether the JVM comes to its end. */
public final class Shutdown {
    private Shutdown() {}

    /** Whether shutdown hooks run, or have run. */
    public static boolean hasBegun() {
        Thread hook = AgentThread.unstarted("vt-agent-hook", () -> {});
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        } catch (IllegalStateException itHas) {
            return true;
        }
    }
}
