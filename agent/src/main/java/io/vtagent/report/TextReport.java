package io.vtagent.report;

import io.vtagent.record.InProgress;
import io.vtagent.record.PinKey;
import io.vtagent.record.PinSite;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.report.PinReport.Total;
import io.vtagent.vm.PinnedStack;
import java.util.List;

/** The report for a terminal. */
public final class TextReport {
    private static final String LINE = "\n";

    private TextReport() {}

    /** The report; one line if there is nothing to report. Ends with a line break. */
    public static String render(PinReport report) {
        StringBuilder text = new StringBuilder();
        String where = " (JDK " + report.jvm().java() + "; " + report.jvm().world() + ")";
        String delayed = Quantity.delayed(report.delayed());
        if (report.count() == 0 && report.starved().periods() == 0) {
            text.append("[vt-agent] no virtual thread held its carrier")
                    .append(delayed.isEmpty() ? "" : "; " + delayed)
                    .append(where)
                    .append(LINE);
            return text.toString();
        }
        text.append("[vt-agent] carriers were held for ")
                .append(Quantity.duration(report.nanos()))
                .append(" by ")
                .append(Quantity.pins(report.count()))
                .append(" in ")
                .append(Quantity.duration(report.uptimeNanos()))
                .append(where)
                .append(ofThat(report.inProgress()))
                .append(LINE);
        for (Total total : report.totals()) {
            text.append("  ").append(keyOf(total.key())).append(": ");
            text.append(figures(total.figures())).append(LINE);
        }
        if (report.jvm().monitorsPin()) {
            text.append("  ").append(report.forecast().inWords()).append(LINE);
        }
        appendStarved(text, report.starved());
        if (!delayed.isEmpty()) {
            text.append("  ").append(delayed).append(LINE);
        }
        if (report.relieved().on()) {
            text.append("  ").append(Quantity.relieved(report.relieved())).append(LINE);
        }
        int rank = 1;
        for (Held held : report.sitesOfNote()) {
            text.append(LINE);
            append(text, rank++, held);
        }
        String rest = report.restInWords();
        if (!rest.isEmpty()) {
            text.append(LINE).append(rest).append(LINE);
        }
        return text.toString();
    }

    private static void appendStarved(StringBuilder text, PinReport.Starved starved) {
        if (starved.periods() > 0) {
            text.append("  every carrier was held with work queued: ")
                    .append(Quantity.duration(starved.nanos()))
                    .append(" in ")
                    .append(starved.periods())
                    .append(starved.periods() == 1 ? " period" : " periods")
                    .append(LINE);
        }
        if (starved.diagnosis() != null) {
            text.append("  ").append(starved.diagnosis().verdict()).append(LINE);
            if (starved.diagnosis().remedy() != null) {
                text.append("  ").append(starved.diagnosis().remedy()).append(LINE);
            }
        }
    }

    private static String ofThat(InProgress pins) {
        return pins.count() == 0
                ? ""
                : "; of that " + Quantity.duration(pins.nanos()) + " by " + Quantity.inProgress(pins);
    }

    private static void append(StringBuilder text, int rank, Held held) {
        PinSite site = held.site();
        text.append(rank).append(". ").append(site.caller());
        text.append(site.caller().equals(site.site()) ? "  " : ", in " + site.site() + "  ");
        text.append(held.site().kind().label()).append(": ");
        text.append(figures(held.figures())).append(LINE);
        PinnedStack stack = held.stack();
        if (stack != null) {
            text.append("   blocked in ").append(held.site().operation());
            if (stack.monitorClass() != null) {
                text.append(stack.cause() == PinnedStack.Cause.CLASS_INIT ? " of " : " with a monitor of ");
                text.append(stack.monitorClass());
            }
            text.append(LINE);
            if (stack.nativeFrame() != null) {
                text.append("   ").append(below(stack.nativeFrame())).append(LINE);
            }
        }
        text.append("   ").append(held.advice()).append(LINE);
        if (stack != null) {
            append(text, stack);
        }
    }

    private static void append(StringBuilder text, PinnedStack stack) {
        List<String> frames = stack.frames();
        for (int i = 0; i < frames.size(); i++) {
            text.append("   ").append(i == stack.holderIndex() ? "=> " : "   ").append(frames.get(i));
            text.append(stack.mark(i)).append(LINE);
        }
    }

    /** Says what holds the carrier besides a monitor. */
    static String below(String nativeFrame) {
        return "also above " + nativeFrame
                + ", a native frame, class initializer or class loader, which would hold the carrier without the monitor, too";
    }

    static String keyOf(PinKey key) {
        return key.kind().label() + ", " + key.reason().label() + (key.compensated() ? ", compensated" : "");
    }

    private static String figures(Figures figures) {
        InProgress pins = figures.inProgress();
        return Quantity.pins(figures.count()) + ", " + Quantity.duration(figures.nanos())
                + (pins.count() == 0
                        ? ""
                        : " (" + Quantity.duration(pins.nanos()) + " by " + Quantity.pins(pins.count())
                                + " in progress)")
                + ", longest " + Quantity.duration(figures.longestNanos());
    }
}
