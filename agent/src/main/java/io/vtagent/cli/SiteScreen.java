package io.vtagent.cli;

import io.vtagent.pin.PinSite;
import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinReport.Held;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The screen of one site: its figures, advice and stack, in which pinning frames are marked. */
final class SiteScreen {
    private SiteScreen() {}

    /**
     * Returns the lines of the screen.
     *
     * @param held the current entry of the site, with its stack if there is one
     */
    static List<Line> lines(Interval interval, Held held, int width) {
        PinSite site = held.site();
        List<Line> lines = new ArrayList<>();
        for (String line : Lines.wrap(SiteName.of(site), width)) {
            lines.add(Line.heading(line));
        }
        lines.add(
                Line.plain(
                        site.kind().label()
                                + ": "
                                + HumanFormat.pins(held.figures().count())
                                + ", "
                                + HumanFormat.duration(held.figures().nanos())
                                + HumanFormat.longest(held.figures().longestNanos())
                                + "; others waited "
                                + HumanFormat.duration(held.waitedNanos())
                                + (interval.isKnown()
                                        ? "; now "
                                                + String.format(
                                                        Locale.ROOT,
                                                        "%.2f carriers",
                                                        interval.carriersHeld(site))
                                        : "")));
        String durations = HumanFormat.durations(held.figures());
        if (!durations.isEmpty()) {
            Lines.wrap(durations, width).forEach(line -> lines.add(Line.plain(line)));
        }
        PinnedStack stack = held.stack();
        if (stack != null) {
            lines.add(
                    Line.plain(
                            "blocked in "
                                    + site.operation()
                                    + (stack.monitorClass() == null
                                            ? ""
                                            : (stack.cause() == PinnedStack.Cause.CLASS_INIT
                                                            ? " of "
                                                            : " with a monitor of ")
                                                    + stack.monitorClass())));
        }
        lines.add(Line.EMPTY);
        Lines.wrap(held.advice(), width).forEach(line -> lines.add(Line.plain(line)));
        if (stack != null) {
            lines.add(Line.EMPTY);
            appendFrames(lines, stack);
        }
        return lines;
    }

    private static void appendFrames(List<Line> lines, PinnedStack stack) {
        for (int i = 0; i < stack.frames().size(); i++) {
            String mark = stack.mark(i);
            String text = (i == stack.holderIndex() ? "=> " : "   ") + stack.frames().get(i) + mark;
            lines.add(mark.isEmpty() ? Line.plain(text) : new Line(Line.Style.ALARM, text));
        }
    }
}
