package io.vtagent.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The entry point of the command line. */
@Command(
        name = "java -jar vt-agent.jar",
        description =
                "Show, compare and check the reports of vt-agent, which finds virtual-thread"
                        + " pinning. Attach it to a running JVM, and detach it.",
        subcommands = {
            TopCommand.class,
            ThreadsCommand.class,
            ReportCommand.class,
            DiffCommand.class,
            CheckCommand.class,
            AttachCommand.class,
            SetCommand.class,
            DetachCommand.class,
            InternalsCommand.class
        },
        versionProvider = CommandLineTool.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:success",
            " 1:a gate failed: diff --fail-above, check, internals",
            " 2:bad input, or no report"
        },
        footer = {"", "As an agent: java -javaagent:vt-agent.jar -jar service.jar"})
public final class CommandLineTool {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print version information and exit.")
    boolean version;

    private CommandLineTool() {}

    /** Runs the command line and exits the JVM. */
    public static void main(String... arguments) {
        int code;
        try {
            code = run(System.out, System.err, arguments);
        } catch (Throwable failure) {
            System.err.println(bug(failure));
            code = ExitCode.BAD_INPUT;
        }
        System.exit(code);
    }

    /**
     * Runs the command line.
     *
     * @return the exit code
     */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        PrintWriter answer = new PrintWriter(new EncodableWriter(out), true);
        CommandLine line =
                new CommandLine(new CommandLineTool())
                        .setOut(answer)
                        .setErr(new PrintWriter(new EncodableWriter(err), true))
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setUsageHelpAutoWidth(true)
                        .setExitCodeExceptionMapper(failure -> ExitCode.BAD_INPUT)
                        .setParameterExceptionHandler(CommandLineTool::complain)
                        .setExecutionExceptionHandler(
                                (failure, command, parsed) -> complain(command, failure));
        if (arguments.length == 0) {
            line.usage(line.getErr());
            return ExitCode.BAD_INPUT;
        }
        int code = line.execute(arguments);
        if (answer.checkError() && code == CommandLine.ExitCode.OK) {
            line.getErr()
                    .println(
                            "vt-agent: the output could not be written: the disk is full, or the"
                                    + " reader has closed the pipe");
            return ExitCode.BAD_INPUT;
        }
        return code;
    }

    private static int complain(CommandLine.ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String sentence = String.valueOf(failure.getMessage());
        if (command.getParent() == null && !arguments[0].startsWith("-")) {
            sentence =
                    "unknown command \""
                            + arguments[0]
                            + "\", expected one of "
                            + String.join(", ", command.getSubcommands().keySet());
        }
        command.getErr()
                .println(
                        "vt-agent: "
                                + endWithoutDot(sentence)
                                + "; see "
                                + command.getCommandSpec().qualifiedName()
                                + " --help");
        return ExitCode.BAD_INPUT;
    }

    private static int complain(CommandLine command, Exception failure) {
        if (failure instanceof BadInputException bad) {
            command.getErr().println("vt-agent: " + bad.getMessage());
            return ExitCode.BAD_INPUT;
        }
        command.getErr().println(bug(failure));
        return ExitCode.BAD_INPUT;
    }

    private static String bug(Throwable failure) {
        StackTraceElement[] stack = failure.getStackTrace();
        return "vt-agent: this is a bug of vt-agent, please report it: "
                + failure
                + (stack.length == 0 ? "" : " at " + stack[0]);
    }

    private static String endWithoutDot(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /** The output of {@code --version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "vt-agent " + own(),
                "on JDK "
                        + System.getProperty("java.version")
                        + " ("
                        + System.getProperty("java.vendor")
                        + ", "
                        + System.getProperty("java.home")
                        + ")"
            };
        }

        static String own() {
            String version = CommandLineTool.class.getPackage().getImplementationVersion();
            return version == null ? "?" : version;
        }
    }
}
