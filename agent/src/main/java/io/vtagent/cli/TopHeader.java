package io.vtagent.cli;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.ledger.Sensors;
import io.vtagent.pin.PinKind;
import io.vtagent.report.Answer;
import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The header lines of {@code top}. */
final class TopHeader {
    private TopHeader() {}

    /**
     * Returns the header lines.
     *
     * @param columns the width into which the answer is wrapped
     * @param remark a remark about the source; empty if there is none
     */
    static List<Line> lines(Interval interval, int columns, String source, String remark) {
        PinReport report = interval.now();
        List<Line> lines = new ArrayList<>();
        lines.add(
                Line.heading(
                        "vt-agent "
                                + report.jvm().agent()
                                + "  "
                                + source
                                + "  JDK "
                                + report.jvm().java()
                                + "  up "
                                + uptime(report.uptimeNanos())
                                + (remark.isEmpty() ? "" : "  " + remark)));
        if (!report.jvm().carriers()) {
            lines.add(Line.plain(report.jvm().pinningMode()));
            return lines;
        }
        Answer answer = report.answer();
        if (answer != null) {
            Lines.wrap(answer.text(), columns).forEach(line -> lines.add(Line.plain(line)));
        }
        lines.add(Line.plain("lost     " + lost(interval)));
        lines.add(Line.plain("held     " + held(interval)));
        lines.add(Line.plain("waiting  " + waiting(report)));
        lines.add(Line.plain("pins     " + pins(report)));
        if (!report.busy().sites().isEmpty()) {
            lines.add(Line.plain("busy     " + busy(report)));
        }
        report.jvm()
                .sensors()
                .forEach(
                        (sensor, failure) -> {
                            if (!failure.isEmpty() && !Sensors.isStarting(failure)) {
                                lines.add(
                                        new Line(
                                                Line.Style.WARNING,
                                                "the sensor \""
                                                        + sensor
                                                        + "\" is down: "
                                                        + failure));
                            }
                        });
        return lines;
    }

    private static String lost(Interval interval) {
        String inAll = Percentage.of(interval.now().lostShare()) + " in all";
        return interval.isKnown()
                ? Percentage.of(interval.lostShare())
                        + " of the scheduler's time in the last "
                        + HumanFormat.duration(interval.nanos())
                        + ", "
                        + inAll
                : Percentage.of(interval.now().lostShare()) + " of the scheduler's time in all";
    }

    private static String held(Interval interval) {
        PinReport.Scheduler scheduler = interval.now().scheduler();
        StringBuilder text = new StringBuilder();
        long size = Math.max(scheduler.size(), scheduler.parallelism());
        text.append(scheduler.held()).append(" of ").append(size);
        text.append(size == 1 ? " carrier" : " carriers");
        if (size > scheduler.parallelism()) {
            text.append(" (parallelism ").append(scheduler.parallelism()).append(')');
        }
        Map<PinKind, Double> carriers = interval.carriersHeld();
        if (!carriers.isEmpty()) {
            StringBuilder separator = new StringBuilder("; on average ");
            carriers.forEach(
                    (kind, average) -> {
                        text.append(separator).append(kind.label());
                        text.append(String.format(Locale.ROOT, " %.2f", average));
                        separator.setLength(0);
                        separator.append(", ");
                    });
        }
        return text.toString();
    }

    private static String waiting(PinReport report) {
        long queued = report.scheduler().queued();
        PinReport.Delayed delayed = report.delayed();
        StringBuilder text = new StringBuilder();
        text.append(queued).append(queued == 1 ? " virtual thread" : " virtual threads");
        text.append(" without a carrier");
        if (delayed.count() > 0) {
            text.append("; a start took ")
                    .append(HumanFormat.duration(delayed.nanos() / delayed.count()));
            text.append(" on average, ")
                    .append(HumanFormat.duration(delayed.longestNanos()))
                    .append(" at most");
        }
        if (delayed.currentNanos() > 0) {
            text.append("; one has been waiting for ")
                    .append(HumanFormat.duration(delayed.currentNanos()));
        }
        return text.toString();
    }

    private static String busy(PinReport report) {
        PinReport.Busy busy = report.busy();
        return busy.carriers()
                + (busy.carriers() == 1 ? " carrier computes" : " carriers compute")
                + busy.sites().stream()
                        .filter(site -> !site.isRare())
                        .findFirst()
                        .map(
                                most ->
                                        "; most in all: "
                                                + most.caller()
                                                + ", "
                                                + HumanFormat.duration(most.nanos(), true))
                        .orElse("");
    }

    private static String uptime(long nanos) {
        Duration uptime = Duration.ofNanos(nanos);
        if (uptime.toHours() > 0) {
            return uptime.toHours() + " h " + uptime.toMinutesPart() + " min";
        }
        return uptime.toMinutes() > 0
                ? uptime.toMinutes() + " min " + uptime.toSecondsPart() + " s"
                : HumanFormat.duration(nanos);
    }

    private static String pins(PinReport report) {
        ActivePinTotals inProgress = report.inProgress();
        return HumanFormat.pins(report.count())
                + ", "
                + HumanFormat.duration(report.nanos())
                + "; "
                + (inProgress.count() == 0
                        ? "none in progress"
                        : HumanFormat.inProgress(inProgress));
    }
}
