package io.vtagent.cli;

import io.vtagent.exporter.page.PageReport;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
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

/** The {@code diff} command. It compares two reports site by site, and can serve as a gate. */
@Command(
        name = "diff",
        description =
                "Compare two reports site by site: how much longer each site held carriers, per"
                        + " second or per unit of work.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:success",
            " 1:held time grew by more than --fail-above",
            " 2:bad input, or no report"
        })
final class DiffCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin SourceOptions options = new SourceOptions();

    @Mixin GateOptions gate = new GateOptions();

    @Parameters(
            index = "0",
            paramLabel = "OLD",
            description = "The old report: a JSON file, a URL or a PID.")
    String before = "";

    @Parameters(
            index = "1",
            paramLabel = "NEW",
            description = "The new report, in the same forms as OLD.")
    String after = "";

    @Option(
            names = "--per",
            paramLabel = "N_OLD,N_NEW",
            description =
                    "Divide the held time of each run by the work that it did, e.g. its number of"
                            + " requests. One number stands for both runs. Default: the measured"
                            + " seconds.")
    @Nullable String per;

    @Option(
            names = "--unit",
            paramLabel = "NAME",
            description = "The unit that --per counts, in the singular, e.g. request.")
    @Nullable String unit;

    @Option(
            names = "--fail-above",
            paramLabel = "LIMIT",
            description =
                    "Fail if the held time grew by more than a percentage (5%%), a duration per"
                            + " second or unit (10ms), or both (5%%,10ms). A percentage ignores"
                            + " growth below a ten-thousandth of the new run's time.")
    @Nullable String failAbove;

    @Option(names = "--json", description = "Print the comparison as JSON.")
    boolean json;

    @Option(
            names = "--html",
            paramLabel = "OUT",
            description =
                    "Write the comparison as a self-contained page, with a flame graph of the"
                            + " difference.")
    @Nullable Path html;

    @Override
    public Integer call() {
        if (unit != null && per == null) {
            throw new BadInputException("--unit has no effect without --per");
        }
        gate.validate();
        GrowthLimit limit = failAbove == null ? null : GrowthLimit.parse(failAbove);
        Sources sources = options.sources();
        ReportSource oldSource = sources.of(before);
        ReportSource newSource = sources.of(after);
        boolean stacks = html != null || gate.needStacks();
        PinReport oldReport = oldSource.report(stacks);
        PinReport newReport = newSource.report(stacks);
        Normalization units =
                per == null
                        ? Normalization.second(oldReport, newReport)
                        : Normalization.counts(per, unit);
        Comparison comparison = Comparison.of(oldReport, newReport, units);
        boolean failed = limit != null && limit.isExceededBy(comparison);
        ComparisonJson asJson =
                new ComparisonJson(comparison, oldSource.name(), newSource.name(), limit);
        if (html != null) {
            OutputFile.write(
                    html,
                    PageReport.ofComparison(asJson.render(), text(oldReport), text(newReport)));
        }
        gate.write(GateResult.ofDiff(comparison, limit), spec.commandLine().getErr());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(asJson.render());
        } else {
            out.print(new ComparisonText(comparison, oldSource.name(), newSource.name()).render());
            if (limit != null) {
                out.println();
                out.println(
                        (failed
                                        ? "failed: it grew by more than "
                                        : "passed: it did not grow by more than ")
                                + limit.given());
            }
        }
        out.flush();
        return failed ? ExitCode.GATE_FAILED : ExitCode.FINE;
    }

    private static String text(PinReport report) {
        return JsonReport.render(report, JsonReport.Detail.ALL);
    }
}
