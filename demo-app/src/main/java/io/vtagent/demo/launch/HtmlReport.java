package io.vtagent.demo.launch;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The report as one page that needs nothing else: a section a case. */
final class HtmlReport {

    private static final int SITES = 8;
    private static final Pattern NUMBER = Pattern.compile("[<\\d][\\d.,]*( m?s)?");

    private final Report report;
    private final StringBuilder html = new StringBuilder();

    private HtmlReport(Report report) {
        this.report = report;
    }

    static String of(Report report) {
        return new HtmlReport(report).page();
    }

    private String page() {
        List<DemoCase> cases =
                Catalogue.CASES.stream()
                        .filter(demoCase -> !report.of(demoCase).isEmpty())
                        .toList();
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .append("<title>vt-agent demo</title>\n<style>\n")
                .append(style())
                .append(
                        "</style></head>\n"
                                + "<body>\n"
                                + "<h1>What the articles say, and what was measured</h1>\n");
        paragraph(
                "Measured on "
                        + report.date()
                        + ": "
                        + report.machine()
                        + ". Every run is a JVM of its own under the agent. "
                        + (report.full()
                                ? "In the sizes of the articles."
                                : "In sizes that suit a small machine; where that is not the"
                                        + " article's size, its figure is marked all the same, and"
                                        + " the run says so. ./demo all --full runs the articles'"
                                        + " sizes."));
        report.missing().forEach(this::warning);
        html.append("<nav>");
        cases.forEach(
                demoCase ->
                        html.append(
                                "<a href=\"#%1$s\">%1$s</a> "
                                        .formatted(Html.escaped(demoCase.name()))));
        html.append("</nav>\n");
        cases.forEach(this::section);
        return html.append("</body></html>\n").toString();
    }

    private void section(DemoCase demoCase) {
        List<Outcome> outcomes = report.of(demoCase);
        html.append(
                "<section id=\"%1$s\">\n<h2>%1$s</h2>\n".formatted(Html.escaped(demoCase.name())));
        paragraph(demoCase.shows());
        for (Claim claim : demoCase.claims()) {
            html.append(
                    "<blockquote>%s <cite>%s</cite></blockquote>\n"
                            .formatted(
                                    Html.escaped(claim.says()),
                                    Html.escaped(claim.article().title())));
        }
        html.append(new BarChart(demoCase, outcomes).svg());
        paragraph(demoCase.comparison());
        runs(demoCase, outcomes);
        sites(outcomes);
        html.append("</section>\n");
    }

    private void runs(DemoCase demoCase, List<Outcome> outcomes) {
        Collection<String> figures = Summary.figures(outcomes);
        html.append("<div class=\"wide\"><table>\n");
        boolean claimed = Summary.isClaimed(demoCase);
        row(
                "th",
                Stream.of(
                                Stream.of("variant", "JDK"),
                                figures.stream(),
                                claimed ? Stream.of("article") : Stream.<String>of(),
                                Stream.of("carrier time held", "pins by kind", ""))
                        .flatMap(cells -> cells)
                        .toList());
        for (Outcome outcome : outcomes) {
            Run run = outcome.run();
            List<String> cells =
                    new ArrayList<>(
                            List.of(
                                    run.variant().name() + ": " + run.variant().what(),
                                    Integer.toString(run.jdk())));
            figures.forEach(figure -> cells.add(Summary.figure(outcome, figure)));
            if (claimed) {
                cells.add(Summary.claimed(demoCase, run.variant().name()));
            }
            cells.add(Quantity.duration(outcome.pins().siteSeconds()));
            cells.add(Summary.kinds(outcome.pins()));
            cells.add(size(run));
            row("td", cells);
        }
        html.append("</table></div>\n");
        for (Outcome outcome : outcomes) {
            Run run = outcome.run();
            outcome.result()
                    .notes()
                    .forEach(note -> paragraph(run.variant() + ", JDK " + run.jdk() + ": " + note));
        }
    }

    private static String size(Run run) {
        return Report.isArticleSize(run)
                ? ""
                : "Not the size of --full: %s x %d ms."
                        .formatted(
                                Quantity.count(run.settings().tasks()),
                                run.settings().latencyMillis());
    }

    private void sites(List<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            List<Pins.Site> sites = outcome.pins().rows();
            if (!outcome.answer().isEmpty()) {
                paragraph(outcome.run() + ": " + outcome.answer());
            }
            outcome.pins().rare().ifPresent(line -> paragraph(outcome.run() + ": " + line + "."));
            if (sites.isEmpty()) {
                continue;
            }
            html.append(
                    "<details><summary>Where carriers were held: %s, JDK %d</summary>\n"
                            .formatted(
                                    Html.escaped(outcome.run().variant().name()),
                                    outcome.run().jdk()));
            html.append("<div class=\"wide\"><table>\n");
            row("th", List.of("site", "operation", "kind", "count", "total"));
            for (Pins.Site site : sites.subList(0, Math.min(SITES, sites.size()))) {
                row(
                        "td",
                        List.of(
                                site.site(),
                                site.operation(),
                                site.kind(),
                                Quantity.count(site.count()),
                                Quantity.duration(site.seconds())));
            }
            html.append("</table></div></details>\n");
        }
    }

    private void row(String tag, List<String> cells) {
        html.append("<tr>");
        cells.forEach(
                cell ->
                        html.append(
                                "<%1$s%3$s>%2$s</%1$s>"
                                        .formatted(
                                                tag,
                                                Html.escaped(cell),
                                                NUMBER.matcher(cell).matches()
                                                        ? " class=\"number\""
                                                        : "")));
        html.append("</tr>\n");
    }

    private void paragraph(String text) {
        html.append("<p>").append(Html.escaped(text)).append("</p>\n");
    }

    private void warning(String text) {
        html.append("<p class=\"warning\">").append(Html.escaped(text)).append("</p>\n");
    }

    private static String style() {
        try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
            return new String(Objects.requireNonNull(css).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
