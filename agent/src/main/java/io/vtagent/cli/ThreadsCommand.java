package io.vtagent.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code threads} command. It prints where the virtual threads of a running JVM wait. */
@Command(
        name = "threads",
        description = "Print where the virtual threads of a running JVM wait, grouped by stack.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:success", " 2:bad input, or no answer"})
final class ThreadsCommand implements Callable<Integer> {
    private static final int MAX_TOP = 2_500;

    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin SourceOptions options = new SourceOptions();

    @Parameters(
            paramLabel = "URL|PID",
            description =
                    "The JVM: the URL of its endpoint (http://127.0.0.1:21491, or :21491), or its"
                            + " process id on this machine.")
    String source = "";

    @Option(names = "--json", description = "Print the threads as JSON.")
    boolean json;

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Print only the N largest groups. Default: 20, or 100 with --json.")
    @Nullable Integer top;

    @Override
    public Integer call() {
        Integer wanted = top;
        if (wanted != null && (wanted < 1 || wanted > MAX_TOP)) {
            throw new BadInputException(
                    "--top is " + wanted + ", expected a number from 1 to " + MAX_TOP);
        }
        if (!(options.sources().of(source) instanceof EndpointSource endpoint)) {
            throw new BadInputException(
                    "\""
                            + source
                            + "\" is a file, expected the URL of an endpoint or a process id:"
                            + " reports contain no threads");
        }
        String answer = endpoint.threads(json, wanted);
        PrintWriter out = spec.commandLine().getOut();
        out.print(answer);
        if (!answer.endsWith("\n")) {
            out.println();
        }
        out.flush();
        return ExitCode.FINE;
    }
}
