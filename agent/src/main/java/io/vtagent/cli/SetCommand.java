package io.vtagent.cli;

import io.vtagent.options.AgentOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code set} command. It changes options of a running agent. */
@Command(
        name = "set",
        description = "Change options of the agent in a running JVM.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:success", " 2:bad input; nothing was changed"})
final class SetCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin AgentJar agent = new AgentJar();

    @Parameters(index = "0", paramLabel = "PID", description = AttachCommand.PID)
    long pid;

    @Parameters(
            index = "1",
            paramLabel = "OPTIONS",
            description = "The options to change, e.g. relief=stuck,log=debug.")
    String options = "";

    @Override
    public Integer call() {
        if (options.isBlank()) {
            throw new BadInputException(
                    "there is nothing to set, expected options such as relief=stuck,log=debug");
        }
        try (AttachedJvm jvm = Sources.attach(pid)) {
            String done = agent.sendToAgent(jvm, pid, "set," + options);
            spec.commandLine()
                    .getOut()
                    .println(
                            done
                                    + " in process "
                                    + pid
                                    + ": "
                                    + AgentOptions.withoutToken(options));
        }
        return ExitCode.FINE;
    }
}
