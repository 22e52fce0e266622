package io.vtagent.cli;

import io.vtagent.options.Durations;
import io.vtagent.report.PinReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code top} command. It shows which sites hold carriers now. */
@Command(
        name = "top",
        description =
                "Show, once a second, the code that holds carriers now. On a terminal, ? lists"
                        + " the keys; elsewhere, each refresh prints a block of lines.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:success", " 2:bad input, or no report"})
final class TopCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin SourceOptions options = new SourceOptions();

    @Parameters(paramLabel = Sources.LABEL, description = Sources.DESCRIPTION)
    String source = "";

    @Option(
            names = "-n",
            paramLabel = "N",
            description = "Stop after this many refreshes; the first comes after one interval.")
    @Nullable Integer times;

    @Option(names = "--once", description = "The same as -n 1.")
    boolean once;

    @Option(names = "--json", description = "Print each block as one line of JSON.")
    boolean json;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            description = "The time between refreshes. Default: 1s.")
    String interval = "1s";

    @Override
    public Integer call() throws IOException, InterruptedException {
        Duration every = every();
        if (times != null && times <= 0) {
            throw new BadInputException("-n is " + times + ", expected a number above 0");
        }
        ReportSource from = options.sources().of(source);
        int blocks = once ? 1 : times == null ? 0 : times;
        if (blocks == 0 && !json && RawTerminal.isThere()) {
            try (RawTerminal terminal = RawTerminal.open()) {
                return new TerminalTop(from, every, terminal).run()
                        ? ExitCode.INTERRUPTED
                        : ExitCode.FINE;
            }
        }
        printBlocks(from, every, blocks == 0 ? Integer.MAX_VALUE : blocks);
        return ExitCode.FINE;
    }

    private void printBlocks(ReportSource from, Duration every, int most)
            throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PinReport before = from.report(false);
        if (!from.isLive()) {
            print(out, Interval.of(before), from);
            return;
        }
        for (int printed = 0; printed < most && !out.checkError(); printed++) {
            Thread.sleep(every);
            PinReport now = from.report(false);
            if (printed > 0 && !json) {
                out.println();
            }
            print(out, Interval.between(before, now), from);
            before = now;
        }
    }

    private void print(PrintWriter out, Interval measured, ReportSource from) {
        if (json) {
            out.println(PlainTop.json(measured));
        } else {
            PlainTop.lines(measured, from.name()).forEach(out::println);
        }
        out.flush();
    }

    private Duration every() {
        long nanos = Durations.parse(interval);
        if (nanos < 100_000_000) {
            throw new BadInputException(
                    "--interval is \""
                            + interval
                            + "\", expected a duration of at least 100ms, such as 1s");
        }
        return Duration.ofNanos(nanos);
    }
}
