package io.vtagent.report;

import io.vtagent.log.PlainText;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport.Held;
import io.vtagent.site.PinnedStack;
import java.util.List;

/**
 * The report as text for a terminal or a service's log: each line that is not indented begins with
 * the agent's prefix. First comes a summary that fits on a screen, then each site with its stack.
 */
public final class TextReport {
    static final String PREFIX = "[vt-agent] ";
    static final String LINE = "\n";

    private static final long MIN_HELD_NANOS = 1_000_000;

    private TextReport() {}

    /**
     * The parts of the report that are rendered.
     *
     * @param stacks whether the sites and their stacks follow the summary
     * @param app prefixes of the user's own packages, without a dot at the end; if empty, a frame
     *     is the user's own unless it is of a well-known framework
     */
    public record Style(boolean stacks, List<String> app) {
        static final Style ALL = new Style(true, List.of());
    }

    /**
     * Returns the report with its stacks, without the sites if carriers were hardly held. Ends with
     * a line break.
     */
    public static String render(PinReport report) {
        return render(report, Style.ALL);
    }

    /**
     * Returns the report, without the sites if carriers were hardly held. Ends with a line break.
     */
    public static String render(PinReport report, Style style) {
        if ((report.isNothingHeld() || isLittle(report)) && report.relieved().pins() == 0) {
            StringBuilder text = new StringBuilder();
            Answer answer = report.answer();
            if (answer != null && answer.kind() != Answer.Kind.HARMLESS) { // as the line reports
                Summary.answer(report).forEach(line -> text.append(line).append(LINE));
            }
            return PlainText.of(
                    text.append(oneLine(report)).append(BusyReport.text(report)).toString());
        }
        StringBuilder text = new StringBuilder(Summary.of(report));
        if (style.stacks()) {
            int rank = 1;
            for (Held held : report.sitesOfNote()) {
                append(text, rank++, held, new Folding(style.app()));
            }
        }
        return PlainText.of(text.append(BusyReport.text(report)).toString());
    }

    /**
     * Returns whether carriers that were held for {@code nanos} in all are not worth a list of the
     * sites: a line that was printed is a pin of some microseconds.
     */
    public static boolean isLittle(long nanos) {
        return nanos < MIN_HELD_NANOS;
    }

    private static boolean isLittle(PinReport report) {
        return isLittle(report.nanos())
                && report.inProgress().count() == 0
                && report.starved().periods() == 0;
    }

    private static String oneLine(PinReport report) {
        String delayed = HumanFormat.delayed(report.delayed());
        String rare = report.rareInWords();
        String threads = report.scheduler().threadsInWords();
        return (report.isNothingHeld() ? held(0, 0) : held(report.count(), report.nanos()))
                + (rare.isEmpty() ? "" : " (" + rare + ")")
                + (delayed.isEmpty() ? "" : "; " + delayed)
                + (threads.isEmpty() ? "" : "; " + threads)
                + in(report.jvm());
    }

    /** Returns the report of a JVM in which no virtual thread has run. Ends with a line break. */
    public static String ofNothing(PinReport.Jvm jvm) {
        return ofLittle(0, 0, jvm);
    }

    /**
     * Returns the report of a JVM whose carriers were held for {@code nanos} in all, by {@code
     * pins} pins. Ends with a line break.
     */
    public static String ofLittle(long pins, long nanos, PinReport.Jvm jvm) {
        return PlainText.of(held(pins, nanos) + in(jvm));
    }

    /**
     * Returns the report of a JVM in which virtual threads may have run before the agent started.
     * Ends with a line break.
     */
    public static String ofUnseen(PinReport.Jvm jvm) {
        return PlainText.of(
                PREFIX
                        + "the JVM ended before the agent had started, so its virtual threads"
                        + " were not measured"
                        + in(jvm));
    }

    private static String held(long pins, long nanos) {
        return PREFIX
                + (pins == 0
                        ? "no virtual thread held its carrier"
                        : "carriers were held for "
                                + HumanFormat.duration(nanos)
                                + " by "
                                + HumanFormat.pins(pins));
    }

    private static String in(PinReport.Jvm jvm) {
        return " (JDK " + jvm.java() + "; " + jvm.pinningMode() + ")" + LINE;
    }

    private static void append(StringBuilder text, int rank, Held held, Folding folding) {
        PinSite site = held.site();
        text.append(PREFIX).append(rank).append(". ").append(site.caller());
        text.append(site.caller().equals(site.site()) ? "  " : ", in " + site.site() + "  ");
        text.append(site.kind().label()).append(": ");
        text.append(HumanFormat.figures(held.figures()));
        if (held.waitedNanos() >= HumanFormat.MIN_WAITED_NANOS) {
            text.append("; others waited ").append(HumanFormat.duration(held.waitedNanos()));
        }
        text.append(LINE);
        String durations = HumanFormat.durations(held.figures());
        if (!durations.isEmpty()) {
            text.append("   ").append(durations).append(LINE);
        }
        PinnedStack stack = held.stack();
        if (stack != null) {
            text.append("   blocked in ").append(site.operation());
            if (stack.monitorClass() != null) {
                text.append(
                        stack.cause() == PinnedStack.Cause.CLASS_INIT
                                ? " of "
                                : " with a monitor of ");
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

    /** Returns a phrase on what holds the carrier besides a monitor. */
    private static String below(String nativeFrame) {
        return "also above "
                + nativeFrame
                + ", a native frame, class initializer or class loader, which would hold the"
                + " carrier by itself, too";
    }
}
