package io.vtagent;

import io.vtagent.instrument.BootProbe;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.vm.JavaBase;
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

    /** Starts the agent in a JVM whose application runs. */
    public static final class WhileRunning implements BiConsumer<@Nullable String, Instrumentation> {
        @Override
        public void accept(@Nullable String arguments, Instrumentation instrumentation) {
            start(arguments, instrumentation, true);
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
        if (BootProbe.isDefined()) {
            AgentLog.error("an agent runs in this JVM already, this one does nothing");
            return;
        }
        try {
            JavaBase.open(instrumentation);
            BootProbe.define();
            Assembly.run(options, instrumentation, running, beganNanos);
        } catch (IOException | IllegalAccessException | RuntimeException | LinkageError failure) {
            AgentLog.error("cannot start, the application runs without the agent: " + failure);
            AgentLog.debug("the cause:", failure);
        }
    }
}
