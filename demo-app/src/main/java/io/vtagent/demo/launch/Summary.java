package io.vtagent.demo.launch;

import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts outcomes into words: for each case a line a run, then where its carriers were held. */
final class Summary {

    private static final int SITES = 5;
    private static final String HELD = "carrier time held";

    private Summary() {}

    static String of(List<Outcome> outcomes) {
        Set<DemoCase> cases = new LinkedHashSet<>();
        outcomes.forEach(outcome -> cases.add(outcome.run().demoCase()));
        return cases.stream()
                .map(
                        demoCase ->
                                of(
                                        demoCase,
                                        outcomes.stream()
                                                .filter(
                                                        outcome ->
                                                                outcome.run().demoCase()
                                                                        == demoCase)
                                                .toList()))
                .collect(Collectors.joining("\n"));
    }

    private static String of(DemoCase demoCase, List<Outcome> outcomes) {
        StringBuilder text = new StringBuilder(demoCase.name() + ": " + demoCase.shows() + "\n\n");
        text.append(runs(demoCase, outcomes).toString().indent(2));
        for (Outcome outcome : outcomes) {
            for (String note : outcome.result().notes()) {
                text.append(
                        "  %s, JDK %d: %s\n"
                                .formatted(outcome.run().variant(), outcome.run().jdk(), note));
            }
        }
        for (Outcome outcome : outcomes) {
            if (!outcome.pins().rows().isEmpty()) {
                text.append("\n  %s: where carriers were held\n".formatted(outcome.run()));
                text.append(sites(outcome.pins().rows()).toString().indent(4));
            }
            outcome.pins()
                    .rare()
                    .ifPresent(line -> text.append("\n  %s: %s\n".formatted(outcome.run(), line)));
        }
        for (Outcome outcome : outcomes) {
            if (!outcome.answer().isEmpty()) {
                text.append("\n  %s: %s\n".formatted(outcome.run(), outcome.answer()));
            }
        }
        return text.toString();
    }

    /** The figures that any of the runs has, with the article's beside that which it is about. */
    private static Table runs(DemoCase demoCase, List<Outcome> outcomes) {
        Set<String> figures = figures(outcomes);
        boolean claimed = demoCase.claims().stream().anyMatch(claim -> !claim.figures().isEmpty());
        List<String> headings = new ArrayList<>(List.of("variant", "JDK"));
        headings.addAll(figures);
        if (claimed) {
            headings.add(3, "article");
        }
        headings.addAll(List.of(HELD, "pins by kind"));
        Table table =
                new Table(headings.toArray(String[]::new)).withNumbers("article").withNumbers(HELD);
        figures.forEach(table::withNumbers);
        for (Outcome outcome : outcomes) {
            Run run = outcome.run();
            List<String> cells =
                    new ArrayList<>(List.of(run.variant().name(), Integer.toString(run.jdk())));
            figures.forEach(figure -> cells.add(figure(outcome, figure)));
            if (claimed) {
                cells.add(3, claimed(demoCase, run.variant().name()));
            }
            cells.add(Quantity.duration(outcome.pins().siteSeconds()));
            cells.add(kinds(outcome.pins()));
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }

    static Set<String> figures(List<Outcome> outcomes) {
        Set<String> figures = new LinkedHashSet<>();
        outcomes.forEach(outcome -> figures.addAll(outcome.result().figures().keySet()));
        return figures;
    }

    static String figure(Outcome outcome, String figure) {
        Double value = outcome.result().figures().get(figure);
        return value == null ? "" : Quantity.text(value);
    }

    /** Whether the articles give a figure for any of its variants. */
    static boolean isClaimed(DemoCase demoCase) {
        return demoCase.claims().stream().anyMatch(claim -> !claim.figures().isEmpty());
    }

    /** Returns what the articles claim about a variant, or nothing. */
    static String claimed(DemoCase demoCase, String variant) {
        return demoCase.claims().stream()
                .map(claim -> claim.figures().get(variant))
                .filter(range -> range != null)
                .map(Summary::range)
                .collect(Collectors.joining(", "));
    }

    static String range(Claim.Range range) {
        return range.low() == range.high()
                ? Quantity.text(range.low())
                : Quantity.text(range.low()) + " to " + Quantity.text(range.high());
    }

    private static Table sites(List<Pins.Site> sites) {
        Table table =
                new Table("site", "operation", "kind", "count", "total")
                        .withNumbers("count")
                        .withNumbers("total");
        for (Pins.Site site : sites.subList(0, Math.min(SITES, sites.size()))) {
            table.row(
                    site.site(),
                    site.operation(),
                    site.kind(),
                    Quantity.count(site.count()),
                    Quantity.duration(site.seconds()));
        }
        return table;
    }

    static String kinds(Pins pins) {
        if (pins.countByKind().isEmpty()) {
            return "none";
        }
        return pins.countByKind().entrySet().stream()
                .map(kind -> kind.getKey() + " " + Quantity.count(kind.getValue()))
                .collect(Collectors.joining(", "));
    }
}
