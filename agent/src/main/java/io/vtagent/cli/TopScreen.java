package io.vtagent.cli;

import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The screen of {@code top}, which never exceeds the size of the terminal.
 *
 * @param source the name of the source
 * @param trouble why the interval is out of date; empty if it is current
 */
record TopScreen(String source, Interval interval, TopView view, String trouble) {
    private static final String KEYS =
            "s sort  / filter  1-9, arrows select  Enter open  p pause  ? help  q quit";
    private static final List<String> HELP =
            List.of(
                    "s           sort by the next column: now, waiting, held, pins, longest",
                    "/           filter by a part of a site's name, operation or kind; Enter"
                            + " applies the filter,",
                    "            Esc clears it",
                    "1-9         select a site; so do the arrows, j and k, and the page keys",
                    "Enter       open the selected site with its advice and stack; the arrows"
                            + " scroll, Esc closes it",
                    "p           pause or resume",
                    "q, Esc      quit",
                    "",
                    "lost        share of the scheduler's time that was lost to held carriers",
                    "waiting     ready threads without a carrier, and how late a probe started to"
                            + " run;",
                    "            in the table: how long the site made other threads wait",
                    "now         mean number of carriers that the site held in the last interval");

    List<Line> lines(int columns, int rows) {
        List<Line> lines =
                new ArrayList<>(
                        TopHeader.lines(interval, columns, source, view.paused() ? "PAUSED" : ""));
        if (!trouble.isEmpty()) {
            lines.add(new Line(Line.Style.ALARM, trouble));
        }
        int body = Math.max(rows - 1, 0);
        Held opened = openedSite();
        if (view.help()) {
            lines.add(Line.EMPTY);
            HELP.forEach(line -> lines.add(Line.plain(line)));
        } else if (opened != null) {
            lines.add(Line.EMPTY);
            int room = Math.max(body - lines.size(), 0);
            List<Line> site = SiteScreen.lines(interval, opened, columns);
            int from = Math.min(view.scroll(), Math.max(site.size() - room, 0));
            lines.addAll(site.subList(from, Math.min(from + room, site.size())));
        } else {
            appendTables(lines, columns, body);
        }
        while (lines.size() > body) {
            lines.removeLast();
        }
        while (lines.size() < body) {
            lines.add(Line.EMPTY);
        }
        if (rows > 0) {
            lines.add(Line.faint(footer()));
        }
        return lines.stream().map(line -> line.cut(columns)).toList();
    }

    /** Returns how many lines the open site can be scrolled down. */
    int mostScroll(int columns, int rows) {
        Held opened = openedSite();
        if (opened == null) {
            return 0;
        }
        int above =
                TopHeader.lines(interval, columns, source, "").size()
                        + 2
                        + (trouble.isEmpty() ? 0 : 1);
        return Math.max(
                SiteScreen.lines(interval, opened, columns).size() - Math.max(rows - above, 0), 0);
    }

    private @Nullable Held openedSite() {
        for (Held held : interval.now().sites()) {
            if (held.site().equals(view.opened())) {
                return held;
            }
        }
        return null;
    }

    private void appendTables(List<Line> lines, int columns, int body) {
        lines.add(Line.EMPTY);
        List<Line> stuck = TopSections.stuck(interval.now(), columns);
        if (!stuck.isEmpty()) {
            lines.addAll(stuck);
            lines.add(Line.EMPTY);
        }
        List<PinReport.Pin> pins = interval.now().pins();
        // the pins get a third of the room, or a few lines; the sites get the rest
        int room = Math.max(body - lines.size(), 0);
        int forPins = pins.isEmpty() ? 0 : Math.min(pins.size() + 2, Math.max(room / 3, 3));
        appendSites(lines, columns, room - forPins);
        if (!pins.isEmpty()) {
            lines.add(Line.EMPTY);
            lines.add(TopSections.pinsHeading());
            pins.forEach(pin -> lines.add(TopSections.pin(pin, columns)));
        }
    }

    private void appendSites(List<Line> lines, int columns, int room) {
        List<Held> sites = view.sites(interval);
        if (sites.isEmpty()) {
            lines.add(
                    Line.plain(
                            view.filter().isEmpty()
                                    ? TopSections.nothing(interval.now())
                                    : "No site has \""
                                            + view.filter()
                                            + "\" in its name, operation or kind."));
            return;
        }
        SitesTable table = new SitesTable(interval, view.sort(), columns);
        lines.add(table.heading());
        String rare = interval.now().rareInWords();
        int shown = Math.clamp(room - (rare.isEmpty() ? 1 : 2), 1, sites.size());
        int selected = view.selectedIndex(sites);
        int from = Math.clamp(selected - shown + 1, 0, sites.size() - shown);
        for (int i = from; i < from + shown; i++) {
            lines.add(table.row(sites.get(i), i + 1, i == selected));
        }
        if (!rare.isEmpty()) {
            lines.add(Line.faint("    " + rare));
        }
    }

    private String footer() {
        if (view.typing()) {
            return "filter: " + view.filter() + "_";
        }
        if (view.help() || view.opened() != null) {
            return view.help()
                    ? "any key closes this  q quit"
                    : "arrows scroll  Esc close  p pause  q quit";
        }
        return (view.filter().isEmpty() ? "" : "filter: " + view.filter() + "  ") + KEYS;
    }
}
