package io.vtagent.exporter;

import io.vtagent.log.AgentLog;
import io.vtagent.thread.AgentThread;
import io.vtagent.thread.Shutdown;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prints the agent's report when the JVM ends, by a shutdown hook that is registered while there is
 * something to print. The report can be replaced. Prints to the streams that were {@code
 * System.out} and {@code System.err} when this was created, even if the application replaces them
 * later. Thread-safe.
 */
public final class ShutdownReportHook implements Runnable {
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NANOS = 1_000_000;

    private final PrintStream stdout = System.out;
    private final PrintStream stderr = System.err;
    private volatile @Nullable Runnable last;
    private volatile @Nullable BooleanSupplier isToWait;
    private @Nullable Thread hook;

    PrintStream stdout() {
        return stdout;
    }

    PrintStream stderr() {
        return stderr;
    }

    /**
     * Runs {@code newLast} at the JVM's end, in place of any earlier task.
     *
     * @throws IllegalStateException if there was nothing to run and the JVM is already ending
     */
    public synchronized void becomes(Runnable newLast) {
        last = newLast;
        if (hook == null) {
            Thread thread =
                    Thread.ofPlatform()
                            .name("vt-agent-report")
                            .inheritInheritableThreadLocals(false)
                            .unstarted(this);
            Runtime.getRuntime().addShutdownHook(thread);
            hook = thread;
        }
    }

    /**
     * Makes the report wait while {@code isBeginning}, at most two seconds, for another one to take
     * its place.
     */
    public void waitWhile(BooleanSupplier isBeginning) {
        isToWait = isBeginning;
    }

    /** Removes the task and the hook, unless the JVM is already ending. */
    public synchronized void forget() {
        last = null;
        Thread thread = hook;
        hook = null;
        if (thread != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(thread);
            } catch (IllegalStateException ending) {
                // the hook runs its task if it still finds one
            }
        }
    }

    /** Takes no lock: its owner may wait forever, and the JVM must be able to end. */
    @Override
    public void run() {
        long beganNanos = System.nanoTime();
        Runnable early = last;
        BooleanSupplier isBeginning = isToWait;
        while (isBeginning != null
                && isBeginning.getAsBoolean()
                && last == early
                && System.nanoTime() - beganNanos < MAX_WAIT_NANOS) {
            AgentThread.pause(POLL_NANOS);
        }
        Runnable now = last;
        if (now == null) {
            return;
        }
        Runnable logging =
                new Runnable() {
                    @Override
                    public void run() {
                        runOrLog(now);
                    }
                };
        if (!Shutdown.completes(logging)) {
            AgentLog.error("the report was not ready within " + Shutdown.MAX_SECONDS + " s");
        }
    }

    /**
     * Runs {@code print} and logs any failure, which must not reach the application's handler of
     * uncaught exceptions.
     */
    static void runOrLog(Runnable print) {
        try {
            print.run();
        } catch (Throwable failed) {
            AgentLog.error("there is no report: " + failed);
        }
    }
}
