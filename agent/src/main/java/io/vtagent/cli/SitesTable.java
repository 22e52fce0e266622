package io.vtagent.cli;

import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinReport.Held;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table of the sites. It has fewer columns on a narrow terminal, so that the names have room.
 *
 * @param width the width of a line in characters
 */
record SitesTable(Interval interval, Sort sort, int width) {
    private static final int WIDE = 110;
    private static final int NARROW = 72;

    /** On 80 columns, names are worth more than a further figure. */
    private static final int MEDIUM = 92;

    /** A column: its heading, its width, and the smallest width of the table that includes it. */
    private enum Column {
        NUMBER("", 3, 0),
        NOW("now", 8, 0),
        RATE("pins/s", 9, WIDE),
        COUNT("pins", 11, NARROW),
        HELD("held", 11, 0),
        WAITING("waiting", 11, MEDIUM),
        LONGEST("longest", 11, WIDE);

        private final String heading;
        private final int width;
        private final int from;

        Column(String heading, int width, int from) {
            this.heading = heading;
            this.width = width;
            this.from = from;
        }
    }

    Line heading() {
        StringBuilder line = new StringBuilder();
        for (Column column : Column.values()) {
            append(
                    line,
                    column,
                    column.name().equals(sort.name()) ? column.heading + "*" : column.heading);
        }
        return Line.heading(line + " kind       caller, site");
    }

    Line row(Held held, int number, boolean selected) {
        StringBuilder line = new StringBuilder();
        for (Column column : Column.values()) {
            append(line, column, cell(column, held, number));
        }
        line.append(String.format(Locale.ROOT, " %-10s ", held.site().kind().label()));
        line.append(TopSections.name(held.site(), width - line.length()));
        return new Line(selected ? Line.Style.SELECTED : Line.Style.PLAIN, line.toString());
    }

    private void append(StringBuilder line, Column column, String cell) {
        if (width >= column.from) {
            line.append(" ".repeat(Math.max(column.width - cell.length(), 0))).append(cell);
        }
    }

    private String cell(Column column, Held held, int number) {
        return switch (column) {
            case NUMBER -> Integer.toString(number);
            case NOW ->
                    interval.isKnown()
                            ? String.format(Locale.ROOT, "%.2f", interval.carriersHeld(held.site()))
                            : "";
            case RATE -> interval.isKnown() ? perSecond(interval.sites().get(held.site())) : "";
            case COUNT -> String.format(Locale.ROOT, "%,d", held.figures().count());
            case HELD -> HumanFormat.duration(held.figures().nanos(), held.figures().isEstimated());
            case WAITING -> HumanFormat.duration(held.waitedNanos());
            case LONGEST -> HumanFormat.duration(held.figures().longestNanos());
        };
    }

    private String perSecond(Interval.@Nullable Meanwhile meanwhile) {
        double pins = meanwhile == null ? 0 : meanwhile.count() * 1e9 / interval.nanos();
        return String.format(Locale.ROOT, pins > 0 && pins < 10 ? "%.1f" : "%,.0f", pins);
    }
}
