package io.vtagent.demo.launch;

import static io.vtagent.demo.launch.Outcomes.NONE;
import static io.vtagent.demo.launch.Outcomes.parks;
import static io.vtagent.demo.launch.Outcomes.tasksPerSecond;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.model.Result;
import io.vtagent.demo.text.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final Report REPORT =
            new Report(
                    "a machine",
                    "2026-11-21",
                    false,
                    List.of(
                            Outcomes.of(
                                    "monitors",
                                    "synchronized-own",
                                    21,
                                    tasksPerSecond(772),
                                    parks(1_000, 10.1, "a.B.c:1")),
                            Outcomes.of(
                                    "monitors",
                                    "no-lock",
                                    21,
                                    new Result(Map.of("tasks/s", 70_000.0), List.of("A <note>.")),
                                    NONE)),
                    List.of("1 of 3 runs were not made."));

    @Test
    void whatIsWrittenAsJsonCanBeRead() {
        Report read = Report.parse(REPORT.json());

        assertThat(read.json()).isEqualTo(REPORT.json());
        assertThat(read.outcomes())
                .map(Outcome::pins)
                .isEqualTo(REPORT.outcomes().stream().map(Outcome::pins).toList());
        assertThat(read.missing()).isEqualTo(REPORT.missing());
    }

    @Test
    void theJsonHasASectionForEveryCaseThatRan() {
        List<Json> cases = Json.parse(REPORT.json()).get("cases").elements();

        assertThat(cases)
                .map(demoCase -> demoCase.get("name").string())
                .containsExactly("monitors");
        assertThat(cases.get(0).get("runs").elements()).hasSize(2);
        assertThat(cases.get(0).get("claims").elements().get(0).get("figures").members())
                .containsKey("no-lock");
    }

    @Test
    void thePageHasASectionForEveryCaseThatRanWithItsSitesAndWhatIsMissing() {
        String html = HtmlReport.of(REPORT);

        assertThat(html)
                .contains(
                        "<section id=\"monitors\">",
                        "a.B.c:1",
                        "10.10 s",
                        "1 of 3 runs were not made.")
                .contains("A &lt;note&gt;.")
                .doesNotContain("<section id=\"article-cache\">");
    }

    @Test
    void theChartHasABarForEveryRunAndAMarkForEveryFigureOfTheArticle() {
        String html = HtmlReport.of(REPORT);

        assertThat(html.split("<rect class=\"jdk21\"", -1)).hasSize(3);
        assertThat(html.split("<rect class=\"article\"", -1)).hasSize(3);
        assertThat(html).contains("tasks/s, on a logarithmic scale");
    }

    @Test
    void aRunWithoutTheArticlesSizeHasANote() {
        Report small =
                new Report(
                        "a machine",
                        "2026-11-21",
                        false,
                        List.of(Outcomes.of("article-cache", "fixed", 21, tasksPerSecond(1), NONE)),
                        List.of());

        assertThat(HtmlReport.of(small)).contains("Not the size of --full: 1,000 x 10 ms.");
        assertThat(HtmlReport.of(REPORT)).doesNotContain("Not the size of --full: ");
    }
}
