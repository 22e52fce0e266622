package io.vtagent.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code detach} command. It takes the agent out of a JVM. */
@Command(
        name = "detach",
        description = "Remove the agent from a running JVM.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:success", " 2:bad input"})
final class DetachCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin AgentJar agent = new AgentJar();

    @Parameters(index = "0", paramLabel = "PID", description = AttachCommand.PID)
    long pid;

    @Override
    public Integer call() {
        try (AttachedJvm jvm = Sources.attach(pid)) {
            String done = agent.sendToAgent(jvm, pid, "detach");
            spec.commandLine().getOut().println(sentence(done, pid));
        }
        return ExitCode.FINE;
    }

    /**
     * Returns the message for the user. The agent's answer is "detached". If the agent leaves
     * anything behind, a semicolon and a description follow.
     */
    static String sentence(String answer, long pid) {
        return "vt-agent was "
                + answer.replaceFirst(
                        "^detached", "detached, process " + pid + " continues without it");
    }
}
