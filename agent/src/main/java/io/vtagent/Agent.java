package io.vtagent;

import io.vtagent.exporter.ExporterManager;
import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.instrument.BootProbe;
import io.vtagent.jvm.AgentProperties;
import io.vtagent.jvm.AotCache;
import io.vtagent.jvm.JavaBase;
import io.vtagent.jvm.JdkInternal;
import io.vtagent.jvm.KnownBug;
import io.vtagent.jvm.TrainingRun;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.thread.AgentThread;
import io.vtagent.thread.Steps;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts the agent: reads its options, prepares the JVM, and leaves the rest to {@link
 * AgentBootstrap}.
 */
public final class Agent {
    private static final String WITHOUT = "; the application runs without the agent";

    private Agent() {}

    /**
     * Starts the agent before the application's {@code main}, on a thread of the agent. {@code
     * main} runs in any case.
     */
    public static final class BeforeMain implements BiConsumer<@Nullable String, Instrumentation> {
        @Override
        public void accept(@Nullable String arguments, Instrumentation instrumentation) {
            start(arguments, instrumentation, null);
        }

        private static void start(
                @Nullable String arguments,
                Instrumentation instrumentation,
                @Nullable OtelSdk otelSdk) {
            Steps steps = new Steps();
            Runnable start =
                    new Runnable() {
                        @Override
                        public void run() {
                            try {
                                Agent.start(arguments, instrumentation, steps, otelSdk)
                                        .logFailure();
                            } finally {
                                steps.end();
                            }
                        }
                    };
            Thread thread;
            try {
                thread = AgentThread.start("vt-agent-start", start);
            } catch (OutOfMemoryError | SecurityException noThread) {
                start.run();
                return;
            }
            String missing = steps.await(thread);
            if (missing != null) {
                AgentLog.error(
                        missing
                                + " did not end in time: the application runs, and is not"
                                + " measured until the start ends");
            }
        }
    }

    /**
     * Starts the agent in a running JVM, or passes a command to the agent that is already there.
     * Returns at once: this is the JVM's only thread for attaching, and {@code jcmd} and {@code
     * jstack} need it too, above all in a JVM that is stuck.
     */
    public static final class WhileRunning
            implements BiConsumer<@Nullable String, Instrumentation> {
        @Override
        public void accept(@Nullable String arguments, Instrumentation instrumentation) {
            JavaBase.open(instrumentation);
            Request request = Request.of(arguments);
            try {
                AgentThread.start("vt-agent-start", () -> answer(request, instrumentation));
            } catch (OutOfMemoryError noThread) {
                request.answer(Outcome.failed("this JVM cannot start a thread: " + noThread));
            }
        }

        private static void answer(Request request, Instrumentation instrumentation) {
            String command = request.command();
            if (command != null && Command.isOne(command)) {
                request.answer(command(command));
                return;
            }
            String refusal = request.refusal();
            request.answer(
                    refusal == null
                            ? start(command, instrumentation, null, null)
                            : Outcome.failed(refusal + WITHOUT));
        }
    }

    /**
     * Starts the agent inside of OpenTelemetry's agent, whose {@link OtelSdk} has the given parts,
     * in the way in which that one was started: before {@code main} or in a running JVM. There are
     * no arguments.
     */
    public static final class InOpenTelemetry
            implements BiConsumer<Map<String, Object>, Instrumentation> {
        @Override
        public void accept(Map<String, Object> parts, Instrumentation instrumentation) {
            JavaBase.open(instrumentation);
            OtelSdk otelSdk = OtelSdk.of(parts);
            if (isInPremain()) {
                BeforeMain.start(null, instrumentation, otelSdk);
            } else {
                Thread unused =
                        AgentThread.start(
                                "vt-agent-start",
                                () -> start(null, instrumentation, null, otelSdk).logFailure());
            }
        }

        private static boolean isInPremain() {
            JdkInternal premain = JdkInternal.CALL_PREMAIN;
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                if (frame.getClassName().equals(premain.typeName())
                        && frame.getMethodName().equals(premain.member())) {
                    return true;
                }
            }
            return false;
        }
    }

    private static Outcome command(String command) {
        Function<String, String> agent = AgentProperties.agent();
        return agent == null
                ? Outcome.failed(
                        "there is no vt-agent in this JVM, expected one that was attached or"
                                + " started with -javaagent")
                : Outcome.parse(agent.apply(command));
    }

    /**
     * Starts the agent. Never stops the application: a failure becomes one line on stderr.
     *
     * @param steps the steps that {@code main} waits for; null if the application is already
     *     running
     * @param otelSdk the SDK of OpenTelemetry's agent; null if that has not started this agent
     */
    private static Outcome start(
            @Nullable String arguments,
            Instrumentation instrumentation,
            @Nullable Steps steps,
            @Nullable OtelSdk otelSdk) {
        long beganNanos = System.nanoTime();
        RunningAgent agent = new RunningAgent();
        try {
            AgentOptions options =
                    AgentOptions.parse(arguments, System.getProperties(), System.getenv());
            AgentLog.level(options.log());
            for (String warning : options.warnings()) {
                AgentLog.info(warning);
            }
            begins(steps, "preparing the JVM");
            JavaBase.open(instrumentation);
            if (TrainingRun.isOne()) {
                AgentLog.info(
                        "this run trains a class-data archive or an AOT cache, in which classes"
                                + " must not be changed: the application runs without the agent");
                return Outcome.ok("");
            }
            String refusal = refusal(agent, options, steps == null);
            if (refusal != null) {
                return Outcome.failed(refusal);
            }
            for (String bug : KnownBug.inThisJvm(KnownBug.Reaction.WARN)) {
                AgentLog.info(bug);
            }
            String refusedCache = AotCache.refusal();
            if (refusedCache != null) {
                AgentLog.info(refusedCache);
            }
            return new AgentBootstrap(options, instrumentation, steps, otelSdk, beganNanos)
                    .of(agent);
        } catch (BadOptionException bad) {
            return Outcome.failed(bad.getMessage() + WITHOUT);
        } catch (Throwable failure) {
            return agent.cannotRun(failure);
        }
    }

    private static void begins(@Nullable Steps steps, String step) {
        if (steps != null) {
            steps.begin(step);
        }
    }

    /**
     * Returns why the agent must not start, before anything in this JVM is changed; null if it may
     * start, and then {@code agent} is registered as the agent of this JVM.
     */
    private static @Nullable String refusal(
            RunningAgent agent, AgentOptions options, boolean running)
            throws IOException, IllegalAccessException {
        if (AgentProperties.agent() != null) {
            return "an agent runs in this JVM already; this one does nothing";
        }
        String noEndpoint = running ? ExporterManager.refusal(options) : null;
        if (noEndpoint != null) {
            return noEndpoint + WITHOUT;
        }
        List<String> bugs = KnownBug.inThisJvm(KnownBug.Reaction.STAY_OUT);
        if (!bugs.isEmpty()) {
            return String.join("; ", bugs) + WITHOUT;
        }
        if (!AgentProperties.claim(agent)) {
            return "an agent runs in this JVM already; this one does nothing";
        }
        if (!BootProbe.define()) {
            agent.cannotRun();
            return "another version of vt-agent has left classes in this JVM that cannot be"
                    + " replaced, expected the same version"
                    + WITHOUT;
        }
        return null;
    }
}
