package io.vtagent.demo.launch;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Puts outcomes into words: a line for each run, and then where its carriers were held. */
final class Summary {

    private static final int SITES = 5;

    private Summary() {}

    static String of(List<Outcome> outcomes) {
        StringBuilder text = new StringBuilder(runs(outcomes).toString());
        for (Outcome outcome : outcomes) {
            if (!outcome.pins().sites().isEmpty()) {
                text.append("\n%s: where carriers were held\n".formatted(outcome.run()));
                text.append(sites(outcome.pins().sites()).toString().indent(2));
            }
        }
        return text.toString();
    }

    private static Table runs(List<Outcome> outcomes) {
        Table table = new Table("case", "variant", "JDK", "tasks/s", "carrier time held", "pins by kind")
                .withNumbers("tasks/s")
                .withNumbers("carrier time held");
        for (Outcome outcome : outcomes) {
            Run run = outcome.run();
            table.row(
                    run.caseName(),
                    run.variant(),
                    Integer.toString(run.jdk()),
                    String.format(Locale.ROOT, "%,.0f", outcome.result().tasksPerSecond()),
                    duration(outcome.pins().heldSeconds()),
                    kinds(outcome.pins()));
        }
        return table;
    }

    private static Table sites(List<Pins.Site> sites) {
        Table table = new Table("site", "operation", "kind", "count", "total")
                .withNumbers("count")
                .withNumbers("total");
        for (Pins.Site site : sites.subList(0, Math.min(SITES, sites.size()))) {
            table.row(site.site(), site.operation(), site.kind(), count(site.count()), duration(site.seconds()));
        }
        return table;
    }

    private static String kinds(Pins pins) {
        if (pins.countByKind().isEmpty()) {
            return "none";
        }
        return pins.countByKind().entrySet().stream()
                .map(kind -> kind.getKey() + " " + count(kind.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Seconds, or milliseconds where seconds would show next to nothing. */
    private static String duration(double seconds) {
        if (seconds == 0) {
            return "0 s";
        }
        if (seconds < 0.000_05) {
            return "< 0.1 ms";
        }
        return seconds < 0.1
                ? String.format(Locale.ROOT, "%.1f ms", seconds * 1e3)
                : String.format(Locale.ROOT, "%,.2f s", seconds);
    }
}
