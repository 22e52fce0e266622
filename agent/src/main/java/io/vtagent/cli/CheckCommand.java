package io.vtagent.cli;

import io.vtagent.json.JsonText;
import io.vtagent.ledger.Sensors;
import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code check} command: a gate that compares a report with limits, not with a baseline. */
@Command(
        name = "check",
        description = "Check a report against limits. At least one limit is required.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:success", " 1:a limit was exceeded", " 2:bad input, or no report"})
final class CheckCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Mixin SourceOptions options = new SourceOptions();

    @Mixin GateOptions gate = new GateOptions();

    @Parameters(paramLabel = Sources.LABEL, description = Sources.DESCRIPTION)
    String source = "";

    @Option(
            names = "--max-share",
            paramLabel = "PERCENT",
            description =
                    "Fail if more than this share of the scheduler's time was lost to held"
                            + " carriers, e.g. 1%%.")
    @Nullable String maxShare;

    @Option(
            names = "--max-waiting",
            paramLabel = "DURATION",
            description =
                    "Fail if virtual threads waited longer than this for held carriers, summed over"
                            + " the threads, e.g. 10s.")
    @Nullable String maxWaiting;

    @Option(
            names = "--max-longest",
            paramLabel = "DURATION",
            description = "Fail if any pin lasted longer than this, e.g. 50ms.")
    @Nullable String maxLongest;

    @Option(
            names = "--no-site",
            paramLabel = "PREFIX",
            description =
                    "Fail if any pin (kind jvm excepted) has its site or caller in this"
                            + " package, class or method. Repeatable.")
    List<String> noSite = new ArrayList<>();

    @Option(names = "--json", description = "Print the result as JSON.")
    boolean json;

    @Override
    public Integer call() {
        gate.validate();
        Limits limits = Limits.parse(maxShare, maxWaiting, maxLongest, noSite);
        ReportSource from = options.sources().of(source);
        PinReport report = from.report(gate.needStacks());
        List<Finding> violations = limits.violatedBy(report);
        List<Finding> blind = blindness(report);
        gate.write(GateResult.ofCheck(limits, violations, blind), spec.commandLine().getErr());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonText.of(in -> write(in, from.name(), report, violations)));
        } else {
            violations.forEach(
                    violation ->
                            out.println("failed: " + violation.limit() + ": " + violation.what()));
            out.println(
                    (violations.isEmpty() ? "passed: " : "in all: ")
                            + Percentage.of(report.lostShare())
                            + " of the scheduler's time lost, "
                            + HumanFormat.duration(report.nanos())
                            + " by "
                            + HumanFormat.pins(report.count())
                            + " in "
                            + HumanFormat.duration(report.uptimeNanos()));
        }
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        blind.forEach(finding -> err.println("vt-agent: " + finding.what()));
        err.flush();
        return violations.isEmpty() ? ExitCode.FINE : ExitCode.GATE_FAILED;
    }

    /** Names the sensors that are down, because pins that were not measured exceed no limit. */
    private static List<Finding> blindness(PinReport report) {
        List<Finding> blind = new ArrayList<>();
        report.jvm()
                .sensors()
                .forEach(
                        (sensor, failure) -> {
                            if (!failure.isEmpty() && !Sensors.isStarting(failure)) {
                                blind.add(
                                        new Finding(
                                                "sensor " + sensor,
                                                "pins may be missing, because the sensor \""
                                                        + sensor
                                                        + "\" is down: "
                                                        + failure,
                                                null));
                            }
                        });
        return blind;
    }

    private static void write(
            JsonText json, String name, PinReport report, List<Finding> violations) {
        json.field("report", name);
        json.field("passed", violations.isEmpty());
        json.field("lostShare", report.lostShare());
        json.field("waitingNanos", report.carriers().waitedHeldNanos());
        json.field("heldNanos", report.nanos());
        json.field("count", report.count());
        json.field("uptimeNanos", report.uptimeNanos());
        json.objects(
                "violations",
                violations,
                violation -> {
                    json.field("limit", violation.limit());
                    json.field("what", violation.what());
                    if (violation.site() != null) {
                        json.field("caller", violation.site().site().caller());
                        json.field("site", violation.site().site().site());
                        json.field("operation", violation.site().site().operation());
                        json.field("kind", violation.site().site().kind().label());
                        json.field("count", violation.site().figures().count());
                        json.field("heldNanos", violation.site().figures().nanos());
                        json.field("longestNanos", violation.site().figures().longestNanos());
                    }
                });
    }
}
