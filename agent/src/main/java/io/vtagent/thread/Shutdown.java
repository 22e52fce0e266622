package io.vtagent.thread;

/** Runs the work of shutdown hooks, and detects that the JVM is ending. */
public final class Shutdown {
    /**
     * The longest time for the work of a shutdown hook. It is longer than the agent's last work
     * takes, and shorter than the time that operators give a JVM to end.
     */
    public static final long MAX_SECONDS = 10;

    private Shutdown() {}

    /**
     * Runs the {@code work} of a shutdown hook on another thread and waits up to {@link
     * #MAX_SECONDS} for it. The work may need a lock whose owner waits forever, and the JVM cannot
     * end before its hooks have ended. Where no thread can be started, the current one runs the
     * work, without that limit.
     *
     * @return whether the work has ended
     */
    public static boolean completes(Runnable work) {
        Thread worker;
        try {
            worker = AgentThread.start("vt-agent-last", work);
        } catch (OutOfMemoryError | SecurityException noThread) {
            work.run();
            return true;
        }
        return AgentThread.join(worker, MAX_SECONDS * 1_000_000_000);
    }

    /** Returns whether shutdown hooks run or have run. */
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
