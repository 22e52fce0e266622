package io.vtagent;

import io.vtagent.instrument.BootProbe;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.outlet.Outlets;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.AgentProperties;
import io.vtagent.vm.JavaBase;
import io.vtagent.vm.TrainingRun;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts the agent: reads its options, prepares the JVM, and leaves the rest to {@link Beginning}. */
public final class Agent {
    private static final String WITHOUT = "; the application runs without the agent";

    private Agent() {}

    /** Starts the agent in a JVM whose application has not begun. */
    public static final class BeforeMain implements BiConsumer<@Nullable String, Instrumentation> {
        @Override
        public void accept(@Nullable String arguments, Instrumentation instrumentation) {
            Answer answer = start(arguments, instrumentation, false);
            answer.logFailure();
        }
    }

    /**
     * Starts the agent in a JVM whose application runs, or tells the one that is there what to do. Returns at once: this is the JVM's one
     * thread for attaching, and whoever attaches to a JVM that is stuck needs it for {@code jcmd} and {@code jstack} as well.
     */
    public static final class WhileRunning implements BiConsumer<@Nullable String, Instrumentation> {
        @Override
        public void accept(@Nullable String arguments, Instrumentation instrumentation) {
            JavaBase.open(instrumentation);
            Request request = Request.of(arguments);
            try {
                AgentThread.start("vt-agent-start", () -> answer(request, instrumentation));
            } catch (OutOfMemoryError noThread) {
                request.answer(Answer.failed("this JVM cannot start a thread: " + noThread));
            }
        }

        private static void answer(Request request, Instrumentation instrumentation) {
            String command = request.command();
            if (command != null && Command.isOne(command)) {
                request.answer(command(command));
                return;
            }
            String refusal = request.refusal();
            request.answer(refusal == null ? start(command, instrumentation, true) : Answer.failed(refusal + WITHOUT));
        }
    }

    private static Answer command(String command) {
        Function<String, String> agent = AgentProperties.agent();
        return agent == null
                ? Answer.failed(
                        "there is no vt-agent in this JVM, expected one that was attached or came by -javaagent")
                : Answer.parse(agent.apply(command));
    }

    /** Never stops the application: whatever goes wrong is one line on stderr. */
    private static Answer start(@Nullable String arguments, Instrumentation instrumentation, boolean running) {
        long beganNanos = System.nanoTime();
        RunningAgent agent = new RunningAgent();
        try {
            AgentOptions options = AgentOptions.parse(arguments, System.getProperties(), System.getenv());
            AgentLog.level(options.log());
            for (String warning : options.warnings()) {
                AgentLog.info(warning);
            }
            JavaBase.open(instrumentation);
            if (TrainingRun.isOne()) {
                AgentLog.info(
                        "this run trains a class-data archive or an AOT cache, for which no class may be changed: the"
                                + " application runs without the agent");
                return Answer.ok("");
            }
            String refusal = refusal(agent, options, running);
            if (refusal != null) {
                return Answer.failed(refusal);
            }
            new Beginning(options, instrumentation, running, beganNanos).of(agent);
            return Answer.ok("attached");
        } catch (BadOptionException bad) {
            return Answer.failed(bad.getMessage() + WITHOUT);
        } catch (IOException | IllegalAccessException | RuntimeException | LinkageError | VirtualMachineError failure) {
            return agent.cannotRun(failure);
        }
    }

    /** Why the agent is not to start, before anything in this JVM was changed; null if it is, and then it is the one of this JVM. */
    private static @Nullable String refusal(RunningAgent agent, AgentOptions options, boolean running)
            throws IOException, IllegalAccessException {
        if (AgentProperties.agent() != null) {
            return "an agent runs in this JVM already, this one does nothing";
        }
        String noEndpoint = running ? Outlets.refusal(options) : null;
        if (noEndpoint != null) {
            return noEndpoint + WITHOUT;
        }
        if (!AgentProperties.claim(agent)) {
            return "an agent runs in this JVM already, this one does nothing";
        }
        if (!BootProbe.define()) {
            agent.cannotRun();
            return "what another version of vt-agent has left behind in this JVM cannot be replaced, expected the same one"
                    + WITHOUT;
        }
        return null;
    }
}
