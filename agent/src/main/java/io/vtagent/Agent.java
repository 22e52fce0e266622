package io.vtagent;

import io.vtagent.instrument.BootProbe;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.JavaBase;
import io.vtagent.vm.TrainingRun;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Starts the agent: reads its options, prepares the JVM, and leaves the rest to {@link Assembly}. */
public final class Agent {
    private Agent() {}

    /** Starts the agent in a JVM whose application has not begun. */
    public static final class BeforeMain implements BiConsumer<@Nullable String, Instrumentation> {
        @Override
        public void accept(@Nullable String arguments, Instrumentation instrumentation) {
            start(arguments, instrumentation, false);
        }
    }

    /**
     * Starts the agent in a JVM whose application runs. Returns at once: this is the JVM's one thread for attaching, and whoever attaches
     * to a JVM that is stuck needs it for {@code jcmd} and {@code jstack} as well.
     */
    public static final class WhileRunning implements BiConsumer<@Nullable String, Instrumentation> {
        @Override
        public void accept(@Nullable String arguments, Instrumentation instrumentation) {
            AgentThread.start("vt-agent-start", () -> start(arguments, instrumentation, true));
        }
    }

    /** Never stops the application: whatever goes wrong is one line on stderr. */
    private static void start(@Nullable String arguments, Instrumentation instrumentation, boolean running) {
        long beganNanos = System.nanoTime();
        AgentOptions options;
        try {
            options = AgentOptions.parse(arguments, System.getProperties(), System.getenv());
        } catch (BadOptionException bad) {
            AgentLog.error(bad.getMessage() + "; the application runs without the agent");
            return;
        }
        AgentLog.level(options.log());
        for (String warning : options.warnings()) {
            AgentLog.info(warning);
        }
        try {
            JavaBase.open(instrumentation);
            if (TrainingRun.isOne()) {
                AgentLog.info(
                        "this run trains a class-data archive or an AOT cache, for which no class may be changed: the"
                                + " application runs without the agent");
                return;
            }
            if (BootProbe.define()) {
                Assembly.run(options, instrumentation, running, beganNanos);
            } else {
                AgentLog.error("an agent runs in this JVM already, this one does nothing");
            }
        } catch (IOException | IllegalAccessException | RuntimeException | LinkageError failure) {
            AgentLog.error("cannot start, the application runs without the agent: " + failure);
            AgentLog.debug("the cause:", failure);
        }
    }
}
