package io.vtagent.demo.launch;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code lab/demo/demo.md}, which comes from the catalogue and from the report that is kept beside
 * it.
 */
final class Documentation {

    private static final String HELD = "carrier time held";

    private final Report report;
    private final StringBuilder text = new StringBuilder();

    private Documentation(Report report) {
        this.report = report;
    }

    static void write(Path root) throws IOException {
        Files.writeString(file(root), of(root));
        System.out.println("Written: lab/demo/demo.md");
    }

    static Path file(Path root) {
        return root.resolve("lab/demo/demo.md");
    }

    /** Returns the text of the file. */
    static String of(Path root) throws IOException {
        return new Documentation(Report.parse(Files.readString(root.resolve("lab/demo/demo.json"))))
                .text();
    }

    private String text() {
        text.append(
                """
                # The demo

                Two articles send people here: "%s" and
                "%s". What they claim, and can be tried out, is a case
                of `./demo` that anyone can run, under the agent, on JDK 21 and 25. `./demo CASE` runs one, `./demo all` all of them with
                a report, `./demo all --full` in the articles' sizes; `./demo --help` tells more. `monitors` and `mount` are there
                for JMH, too: `java -jar benchmarks/target/benchmarks.jar Article`.

                This page is written by `./demo docs`, from the catalogue of the cases and the report in [demo.json](demo.json), which
                is a `demo-report.json` that was kept. Measured on %s: %s; %s.

                """
                        .formatted(
                                Article.PINNING.title(),
                                Article.EXPLORATION.title(),
                                report.date(),
                                report.machine(),
                                report.full()
                                        ? "in the articles' sizes"
                                        : "in sizes that suit a small machine, which are not always"
                                                + " the articles'"));
        Catalogue.CASES.forEach(this::section);
        return text.toString();
    }

    private void section(DemoCase demoCase) {
        text.append("## `")
                .append(demoCase.name())
                .append("`\n\n")
                .append(demoCase.shows())
                .append("\n\n");
        for (Claim claim : demoCase.claims()) {
            text.append("- *")
                    .append(claim.article().title())
                    .append("* says: ")
                    .append(claim.says())
                    .append('\n');
        }
        text.append("\n").append(demoCase.comparison()).append("\n\n");
        table(demoCase);
    }

    private void table(DemoCase demoCase) {
        List<Outcome> outcomes = report.of(demoCase);
        Collection<String> figures =
                outcomes.isEmpty() ? List.of(demoCase.figure()) : Summary.figures(outcomes);
        List<String> headings = new ArrayList<>(List.of("variant", "", "JDK"));
        headings.addAll(figures);
        headings.addAll(Summary.isClaimed(demoCase) ? List.of("article", HELD) : List.of(HELD));
        row(headings);
        row(Collections.nCopies(headings.size(), "---"));
        for (Variant variant : demoCase.variants()) {
            List<Outcome> measured =
                    outcomes.stream()
                            .filter(
                                    outcome ->
                                            outcome.run().variant().name().equals(variant.name()))
                            .toList();
            if (measured.isEmpty()) {
                row(demoCase, variant, "", figures.stream().map(figure -> "not measured"), "");
            }
            for (Outcome outcome : measured) {
                row(
                        demoCase,
                        variant,
                        Integer.toString(outcome.run().jdk()),
                        figures.stream().map(figure -> Summary.figure(outcome, figure)),
                        Quantity.duration(outcome.pins().siteSeconds()));
            }
        }
        text.append('\n');
        notes(outcomes);
    }

    private void row(
            DemoCase demoCase, Variant variant, String jdk, Stream<String> figures, String held) {
        List<String> cells =
                new ArrayList<>(List.of('`' + variant.name() + '`', variant.what(), jdk));
        figures.forEach(cells::add);
        if (Summary.isClaimed(demoCase)) {
            cells.add(Summary.claimed(demoCase, variant.name()));
        }
        cells.add(held);
        row(cells);
    }

    private void row(List<String> cells) {
        text.append(
                cells.stream()
                        .map(cell -> cell.replace("|", "\\|"))
                        .collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    private void notes(List<Outcome> outcomes) {
        List<String> notes =
                outcomes.stream()
                        .flatMap(
                                outcome ->
                                        outcome.result().notes().stream()
                                                .map(
                                                        note ->
                                                                "- `%s` on JDK %d: %s\n"
                                                                        .formatted(
                                                                                outcome.run()
                                                                                        .variant(),
                                                                                outcome.run().jdk(),
                                                                                note)))
                        .toList();
        notes.forEach(text::append);
        if (!notes.isEmpty()) {
            text.append('\n');
        }
    }
}
