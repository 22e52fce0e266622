package io.vtagent.cli;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.pin.PinSite;
import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The sections of a screen below the header, apart from the table of the sites. */
final class TopSections {
    private static final String PINS = "%11s %-10s %s";

    private TopSections() {}

    /** Returns the diagnosis of the current starvation as lines; none if nothing is starved. */
    static List<Line> stuck(PinReport report, int width) {
        Diagnosis diagnosis = report.starved().diagnosis();
        if (!report.starved().now() || diagnosis == null) {
            return List.of();
        }
        Line.Style style = diagnosis.overload() ? Line.Style.WARNING : Line.Style.ALARM;
        List<Line> lines = new ArrayList<>();
        lines.add(new Line(style, diagnosis.overload() ? "OVERLOAD" : "STUCK"));
        Lines.wrap(diagnosis.verdict(), width).forEach(line -> lines.add(new Line(style, line)));
        diagnosis.deadlock().forEach(link -> lines.add(Line.plain("  " + link.inWords())));
        if (diagnosis.remedy() != null) {
            Lines.wrap(diagnosis.remedy(), width).forEach(line -> lines.add(Line.plain(line)));
        }
        return lines;
    }

    /** Returns the line of a JVM without a site. */
    static String nothing(PinReport report) {
        String rare = report.rareInWords();
        return "No virtual thread has held its carrier"
                + (rare.isEmpty() ? "." : " (" + rare + ").");
    }

    /**
     * Returns the caller and the site within {@code width}. The caller comes first, because the
     * user can change it.
     */
    static String name(PinSite site, int width) {
        String whole = SiteName.of(site);
        if (whole.length() <= width) {
            return whole;
        }
        String caller = Lines.abbreviate(site.caller(), width);
        int rest = width - caller.length() - ", in ".length();
        return site.caller().equals(site.site()) || rest <= 0
                ? caller
                : caller + ", in " + Lines.abbreviate(site.site(), rest);
    }

    static Line pinsHeading() {
        return Line.heading(
                String.format(Locale.ROOT, PINS, "in progress", "kind", "thread, caller"));
    }

    static Line pin(PinReport.Pin pin, int width) {
        String thread = pin.thread() + " on " + pin.carrier() + ", ";
        return Line.plain(
                String.format(
                        Locale.ROOT,
                        PINS,
                        HumanFormat.duration(pin.ageNanos()),
                        pin.key().kind().label(),
                        thread + name(pin.site(), width - 23 - thread.length())));
    }
}
