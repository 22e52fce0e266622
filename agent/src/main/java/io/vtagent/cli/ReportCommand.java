package io.vtagent.cli;

import io.vtagent.exporter.page.PageReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code report} command. It prints a report as text or JSON, or writes it as HTML. */
@Command(
        name = "report",
        description = "Print a report as text.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:success", " 2:bad input, or no report"})
final class ReportCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin SourceOptions options = new SourceOptions();

    @Parameters(paramLabel = Sources.LABEL, description = Sources.DESCRIPTION)
    String source = "";

    @Option(
            names = "--json",
            description = "Print the report as JSON, the input of diff and check.")
    boolean json;

    @Option(
            names = "--html",
            paramLabel = "OUT",
            description = "Write the report as a self-contained page.")
    @Nullable Path html;

    @Override
    public Integer call() {
        if (json && html != null) {
            throw new BadInputException("--json and --html were given, expected one of them");
        }
        ReportSource from = options.sources().of(source);
        String text = from.json(true);
        PinReport report = from.read(text);
        if (html != null) {
            OutputFile.write(html, PageReport.of(text, from.history()));
            return ExitCode.FINE;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? text : TextReport.render(report));
        out.flush();
        return ExitCode.FINE;
    }
}
