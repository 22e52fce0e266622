package io.vtagent.outlet;

import io.vtagent.log.AgentLog;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * What the agent prints when the JVM ends, which may change, and where: on the streams of the time at which this was made, whatever the
 * application makes of {@code System.out} and {@code System.err} later. A shutdown hook while there is something to print. Thread-safe.
 */
public final class AtExit {
    private final PrintStream stdout = System.out;
    private final PrintStream stderr = System.err;
    private volatile @Nullable Runnable last;
    private @Nullable Thread hook;

    PrintStream stdout() {
        return stdout;
    }

    PrintStream stderr() {
        return stderr;
    }

    /**
     * Runs {@code newLast} at the JVM's end, and nothing else any more.
     *
     * @throws IllegalStateException if there was nothing to run and the JVM ends already
     */
    public synchronized void becomes(Runnable newLast) {
        last = newLast;
        if (hook == null) {
            Thread thread = Thread.ofPlatform()
                    .name("vt-agent-report")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(this::run);
            Runtime.getRuntime().addShutdownHook(thread);
            hook = thread;
        }
    }

    /** Runs nothing, and leaves nothing behind, unless the JVM ends already. */
    public synchronized void forget() {
        last = null;
        Thread thread = hook;
        hook = null;
        if (thread != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(thread);
            } catch (IllegalStateException ending) {
                // then it runs what there is
            }
        }
    }

    /** Takes no lock: whoever has it may wait for what never comes, and the JVM is to end. */
    void run() {
        Runnable now = last;
        if (now != null) {
            orSay(now);
        }
    }

    /** The application's handler of uncaught exceptions is not for the agent's. */
    static void orSay(Runnable print) {
        try {
            print.run();
        } catch (Throwable failed) {
            AgentLog.error("there is no report: " + failed);
        }
    }
}
