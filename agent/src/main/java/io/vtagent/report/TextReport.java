package io.vtagent.report;

import io.vtagent.log.PlainText;
import io.vtagent.record.PinSite;
import io.vtagent.report.PinReport.Held;
import io.vtagent.vm.PinnedStack;
import java.util.List;

/**
 * The report for a terminal, or amid what a service logs: each line that is not indented begins with the agent's prefix. First a summary
 * that fits a screen, then each site with its stack.
 */
public final class TextReport {
    static final String PREFIX = "[vt-agent] ";
    static final String LINE = "\n";

    private TextReport() {}

    /**
     * What there is of it.
     *
     * @param stacks whether the sites and their stacks follow the summary
     * @param app prefixes of the user's own packages, without a dot at the end; with none, whatever is of no well-known framework is
     */
    public record Style(boolean stacks, List<String> app) {
        static final Style ALL = new Style(true, List.of());
    }

    /** The report with its stacks; one line if there is nothing to report. Ends with a line break. */
    public static String render(PinReport report) {
        return render(report, Style.ALL);
    }

    /** The report; one line if there is nothing to report. Ends with a line break. */
    public static String render(PinReport report, Style style) {
        if (report.count() == 0 && report.starved().periods() == 0) {
            return PlainText.of(nothing(report));
        }
        StringBuilder text = new StringBuilder(Summary.of(report));
        if (style.stacks()) {
            int rank = 1;
            for (Held held : report.sitesOfNote()) {
                append(text, rank++, held, new Folding(style.app()));
            }
        }
        return PlainText.of(text.toString());
    }

    private static String nothing(PinReport report) {
        String delayed = Quantity.delayed(report.delayed());
        return nothing(delayed.isEmpty() ? "" : "; " + delayed, report.jvm());
    }

    /** The report of a JVM in which no virtual thread has run. Ends with a line break. */
    public static String ofNothing(PinReport.Jvm jvm) {
        return PlainText.of(nothing("", jvm));
    }

    /** The report of a JVM in which virtual threads may have run that the agent has not seen. Ends with a line break. */
    public static String ofUnseen(PinReport.Jvm jvm) {
        return PlainText.of(PREFIX
                + "the JVM was over before the agent had begun: what its virtual threads did is not known" + in(jvm));
    }

    private static String nothing(String delayed, PinReport.Jvm jvm) {
        return PREFIX + "no virtual thread held its carrier" + delayed + in(jvm);
    }

    private static String in(PinReport.Jvm jvm) {
        return " (JDK " + jvm.java() + "; " + jvm.world() + ")" + LINE;
    }

    private static void append(StringBuilder text, int rank, Held held, Folding folding) {
        PinSite site = held.site();
        text.append(PREFIX).append(rank).append(". ").append(site.caller());
        text.append(site.caller().equals(site.site()) ? "  " : ", in " + site.site() + "  ");
        text.append(site.kind().label()).append(": ");
        text.append(Quantity.figures(held.figures())).append(LINE);
        PinnedStack stack = held.stack();
        if (stack != null) {
            text.append("   blocked in ").append(site.operation());
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
            folding.append(text, site, stack);
        }
    }

    /** Says what holds the carrier besides a monitor. */
    private static String below(String nativeFrame) {
        return "also above " + nativeFrame
                + ", a native frame, class initializer or class loader, which would hold the carrier without the monitor, too";
    }
}
