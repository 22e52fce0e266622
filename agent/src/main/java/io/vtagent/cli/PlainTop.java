package io.vtagent.cli;

import io.vtagent.json.JsonText;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport.Held;
import java.util.ArrayList;
import java.util.List;

/** The output of {@code top} without a terminal: a block of lines, or a JSON object. */
final class PlainTop {
    private static final int MAX_SITES = 10;
    private static final int MAX_PINS = 5;

    /** Wide enough for any name. */
    private static final int WIDTH = 1_000;

    private PlainTop() {}

    static List<String> lines(Interval interval, String source) {
        List<Line> lines = new ArrayList<>(TopHeader.lines(interval, WIDTH, source, ""));
        lines.addAll(TopSections.stuck(interval.now(), WIDTH));
        List<Held> sites = TopView.FIRST.sites(interval);
        SitesTable table = new SitesTable(interval, Sort.NOW, WIDTH);
        if (!sites.isEmpty()) {
            lines.add(table.heading());
        }
        for (int i = 0; i < Math.min(MAX_SITES, sites.size()); i++) {
            lines.add(table.row(sites.get(i), i + 1, false));
        }
        if (sites.size() > MAX_SITES) {
            lines.add(Line.plain("    and " + (sites.size() - MAX_SITES) + " more"));
        }
        if (!interval.now().rareInWords().isEmpty()) {
            lines.add(Line.plain("    " + interval.now().rareInWords()));
        }
        if (!interval.now().pins().isEmpty()) {
            lines.add(TopSections.pinsHeading());
            interval.now().pins().stream()
                    .limit(MAX_PINS)
                    .forEach(pin -> lines.add(TopSections.pin(pin, WIDTH)));
        }
        return lines.stream().map(line -> line.cut(WIDTH).text().stripTrailing()).toList();
    }

    /** Returns the report, and the figures of the interval since the previous report. */
    static String json(Interval interval) {
        return JsonText.of(
                json -> {
                    JsonReport.write(json, interval.now(), JsonReport.Detail.NO_STACKS);
                    if (interval.isKnown()) {
                        json.object("interval", in -> write(in, interval));
                    }
                });
    }

    private static void write(JsonText json, Interval interval) {
        json.field("nanos", interval.nanos());
        json.field("lostShare", interval.lostShare());
        json.object(
                "heldNanos",
                in -> interval.heldNanos().forEach((kind, held) -> in.field(kind.label(), held)));
        json.objects(
                "sites",
                interval.sites().entrySet(),
                entry -> {
                    json.field("caller", entry.getKey().caller());
                    json.field("site", entry.getKey().site());
                    json.field("operation", entry.getKey().operation());
                    json.field("kind", entry.getKey().kind().label());
                    json.field("count", entry.getValue().count());
                    json.field("heldNanos", entry.getValue().nanos());
                    json.field("waitingNanos", entry.getValue().waitedNanos());
                });
    }
}
