package io.vtagent.cli;

import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The {@code attach} command. It brings the agent into a running JVM, or lists the JVMs of this
 * machine if no process id is given.
 */
@Command(
        name = "attach",
        description =
                "Attach the agent to a running JVM. Without PID, list the JVMs of this machine.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:success", " 2:bad input, or the JVM refused the agent"})
final class AttachCommand implements Callable<Integer> {
    static final String PID = "The process id of a JVM on this machine, of the same user.";

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final int MAX_WAIT_FOR_ENDPOINT = 500;

    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin AgentJar agent = new AgentJar();

    @Parameters(index = "0", arity = "0..1", paramLabel = "PID", description = PID)
    @Nullable Long pid;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "OPTIONS",
            description =
                    "The agent's options, in the form that follows -javaagent:vt-agent.jar=, for"
                            + " example port=0,relief=stuck.")
    String options = "";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (pid == null) {
            JvmList.print(out);
            return ExitCode.FINE;
        }
        check(options);
        try (AttachedJvm jvm = Sources.attach(pid)) {
            check(jvm, pid);
            String done = agent.send(jvm, options);
            out.println("vt-agent is " + done + " to process " + pid + ": " + endpoint(jvm));
        }
        return ExitCode.FINE;
    }

    /**
     * Checks the options before the other JVM is touched. Does nothing if they have {@code config}
     * or {@code token}, because those may name files, which only the other JVM can read.
     */
    private static void check(String options) {
        if (options.contains("config") || options.contains("token")) {
            return;
        }
        try {
            AgentOptions unused = AgentOptions.parse(options, new Properties(), Map.of());
        } catch (BadOptionException bad) {
            throw new BadInputException(String.valueOf(bad.getMessage()));
        }
    }

    private static void check(AttachedJvm jvm, long pid) {
        int java = jvm.java();
        if (java < FIRST_WITH_VIRTUAL_THREADS) {
            throw new BadInputException(
                    "process "
                            + pid
                            + " runs on Java "
                            + java
                            + ", expected "
                            + FIRST_WITH_VIRTUAL_THREADS
                            + " or later, because earlier ones have no virtual threads");
        }
        if (jvm.hasAgent()) {
            throw new BadInputException(
                    "vt-agent runs in process "
                            + pid
                            + " already"
                            + (jvm.endpoint() == null ? "" : ", at " + jvm.endpoint())
                            + ": set changes its options, detach removes it");
        }
    }

    /** Waits for the endpoint, which comes a moment after the agent, and returns its URL. */
    private static String endpoint(AttachedJvm jvm) {
        for (int left = MAX_WAIT_FOR_ENDPOINT; left > 0 && !jvm.hasAgent(); left--) {
            AgentJar.pause();
        }
        String url = jvm.endpoint();
        return url == null ? "no endpoint" : url;
    }
}
