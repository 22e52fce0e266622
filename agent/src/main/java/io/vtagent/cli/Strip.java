package io.vtagent.cli;

import io.vtagent.record.InProgress;
import io.vtagent.record.PinKind;
import io.vtagent.record.Sensors;
import io.vtagent.report.PinReport;
import io.vtagent.report.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What there is to know at a glance. */
final class Strip {
    private Strip() {}

    /** @param remark what else is to be said of the source, empty if nothing is */
    static List<Line> lines(Interval interval, String source, String remark) {
        PinReport report = interval.now();
        List<Line> lines = new ArrayList<>();
        lines.add(Line.heading("vt-agent " + report.jvm().agent() + "  " + source + "  JDK "
                + report.jvm().java() + "  up " + uptime(report.uptimeNanos())
                + (remark.isEmpty() ? "" : "  " + remark)));
        if (!report.jvm().carriers()) {
            lines.add(Line.plain(report.jvm().world()));
            return lines;
        }
        lines.add(Line.plain("lost     " + lost(interval)));
        lines.add(Line.plain("held     " + held(interval)));
        lines.add(Line.plain("waiting  " + waiting(report)));
        lines.add(Line.plain("pins     " + pins(report)));
        report.jvm().sensors().forEach((sensor, failure) -> {
            if (!failure.isEmpty() && !failure.equals(Sensors.NOT_PROVED_YET)) {
                lines.add(new Line(Line.Style.WARNING, "the sensor \"" + sensor + "\" is down: " + failure));
            }
        });
        return lines;
    }

    private static String lost(Interval interval) {
        String inAll = Percentage.of(interval.now().heldShare()) + " in all";
        return interval.isKnown()
                ? Percentage.of(interval.heldShare()) + " of the scheduler's time in the last "
                        + Quantity.duration(interval.nanos()) + ", " + inAll
                : Percentage.of(interval.now().heldShare()) + " of the scheduler's time in all";
    }

    private static String held(Interval interval) {
        PinReport.Scheduler scheduler = interval.now().scheduler();
        StringBuilder text = new StringBuilder();
        text.append(scheduler.held()).append(" of ").append(scheduler.parallelism());
        text.append(scheduler.parallelism() == 1 ? " carrier" : " carriers");
        if (scheduler.size() != scheduler.parallelism()) {
            text.append(" (").append(scheduler.size()).append(" exist)");
        }
        Map<PinKind, Double> carriers = interval.carriersHeld();
        if (!carriers.isEmpty()) {
            StringBuilder separator = new StringBuilder("; on average ");
            carriers.forEach((kind, average) -> {
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
            text.append("; a start took ").append(Quantity.duration(delayed.nanos() / delayed.count()));
            text.append(" on average, ")
                    .append(Quantity.duration(delayed.longestNanos()))
                    .append(" at most");
        }
        if (delayed.currentNanos() > 0) {
            text.append("; one waits for ").append(Quantity.duration(delayed.currentNanos()));
        }
        return text.toString();
    }

    private static String uptime(long nanos) {
        Duration uptime = Duration.ofNanos(nanos);
        if (uptime.toHours() > 0) {
            return uptime.toHours() + " h " + uptime.toMinutesPart() + " min";
        }
        return uptime.toMinutes() > 0
                ? uptime.toMinutes() + " min " + uptime.toSecondsPart() + " s"
                : Quantity.duration(nanos);
    }

    private static String pins(PinReport report) {
        InProgress inProgress = report.inProgress();
        return Quantity.pins(report.count()) + ", " + Quantity.duration(report.nanos()) + "; "
                + (inProgress.count() == 0 ? "none in progress" : Quantity.inProgress(inProgress));
    }
}
