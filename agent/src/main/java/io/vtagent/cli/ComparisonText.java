package io.vtagent.cli;

import io.vtagent.cli.Comparison.Row;
import io.vtagent.pin.PinSite;
import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinReport;
import java.util.List;
import java.util.Locale;

/** A comparison as text for a terminal. */
record ComparisonText(Comparison comparison, String before, String after) {

    String render() {
        StringBuilder text = new StringBuilder();
        Normalization per = comparison.per();
        text.append("carrier time held per ").append(per.unit()).append(": ");
        text.append(Rate.of(comparison.rateBefore())).append(" in the old run, ");
        text.append(Rate.of(comparison.rateAfter())).append(" in the new one: ");
        text.append(Rate.growth(comparison.growth()))
                .append(Rate.share(comparison.growthShare()))
                .append('\n');
        text.append("  old: ").append(run(before, comparison.before())).append('\n');
        text.append("  new: ").append(run(after, comparison.after())).append('\n');
        if (comparison.before().jvm().monitorsPin() != comparison.after().jvm().monitorsPin()) {
            text.append("  monitors pin in one of them only\n");
        }
        appendSites(text);
        appendBusy(text);
        return text.toString();
    }

    private static String run(String name, PinReport report) {
        return name
                + ", "
                + HumanFormat.duration(report.nanos())
                + " by "
                + HumanFormat.pins(report.count())
                + " in "
                + HumanFormat.duration(report.uptimeNanos())
                + " on JDK "
                + report.jvm().java()
                + "; "
                + Percentage.of(report.lostShare())
                + " of the scheduler lost, others waited "
                + HumanFormat.duration(report.carriers().waitedHeldNanos());
    }

    private void appendSites(StringBuilder text) {
        List<Row> notable = comparison.rows().stream().filter(comparison::isNotable).toList();
        if (!notable.isEmpty()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "\n%12s %12s %12s %12s  %-6s %-10s  %s\n",
                            "growth",
                            "old",
                            "new",
                            "waiting",
                            "",
                            "kind",
                            "site"));
        }
        for (Row row : notable) {
            SitePair pair = row.pair();
            PinSite site = pair.newest().site();
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%12s %12s %12s %12s  %-6s %-10s  %s%s\n",
                            Rate.growth(row.growth()),
                            pair.before() == null ? "-" : Rate.of(row.rateBefore()),
                            pair.after() == null ? "-" : Rate.of(row.rateAfter()),
                            Rate.growth(row.waitingGrowth()),
                            pair.status().inTable(),
                            site.kind().label(),
                            SiteName.of(site),
                            moved(pair)));
        }
        int rest = comparison.rows().size() - notable.size();
        if (rest > 0) {
            text.append('\n').append(rest);
            text.append(notable.isEmpty() ? "" : " more")
                    .append(rest == 1 ? " site" : " sites")
                    .append(
                            " held carriers for less than a ten-thousandth of the time in either"
                                    + " run\n");
        }
        if (comparison.ambiguous() > 0) {
            text.append('\n').append(comparison.ambiguous());
            text.append(
                    " of the new sites may be old ones that moved to another line: there are"
                            + " several in their method\n");
        }
    }

    private void appendBusy(StringBuilder text) {
        List<BusyComparison.Row> notable =
                comparison.busy().rows().stream()
                        .filter(row -> comparison.isNotable(row.rateBefore(), row.rateAfter()))
                        .toList();
        if (!notable.isEmpty()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "\n%12s %12s %12s  %-6s %s\n",
                            "growth",
                            "old",
                            "new",
                            "",
                            "busy: code that computes without unmounting"));
        }
        for (BusyComparison.Row row : notable) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%12s %12s %12s  %-6s %s\n",
                            Rate.growth(row.growth()),
                            row.before() == null ? "-" : Rate.of(row.rateBefore()),
                            row.after() == null ? "-" : Rate.of(row.rateAfter()),
                            row.status().inTable(),
                            SiteName.of(row.newest().caller(), row.newest().site())));
        }
    }

    private static String moved(SitePair pair) {
        if (pair.status() != SitePair.Status.MOVED || pair.before() == null) {
            return "";
        }
        PinSite was = pair.before().site();
        String name = SiteName.of(was);
        int line = name.lastIndexOf(':') + 1;
        boolean sameMethod = SiteName.of(pair.newest().site()).startsWith(name.substring(0, line));
        return sameMethod && was.caller().equals(was.site())
                ? " (was line " + name.substring(line) + ")"
                : " (was " + name + ")";
    }
}
