package io.vtagent.demo.launch;

import static io.vtagent.demo.launch.Outcomes.NONE;
import static io.vtagent.demo.launch.Outcomes.parks;
import static io.vtagent.demo.launch.Outcomes.tasksPerSecond;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.model.Result;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {

    @Test
    void everyRunHasALineAndOnlyThoseWithPinsHaveSites() {
        String text =
                Summary.of(
                        List.of(
                                Outcomes.of(
                                        "article-cache",
                                        "pinned",
                                        21,
                                        tasksPerSecond(1_234.2),
                                        parks(7_934, 0.0301, "a.B.c:1")),
                                Outcomes.of(
                                        "article-cache", "fixed", 21, tasksPerSecond(98.6), NONE)));

        assertThat(text)
                .isEqualTo(
                        """
                        article-cache: A cache that fetches over HTTP inside a synchronized method, against one with a ReentrantLock.

                          variant  JDK  tasks/s  carrier time held  pins by kind
                          pinned   21     1,234            30.1 ms  park 7,934
                          fixed    21        99                0 s  none

                          article-cache, pinned, on JDK 21: where carriers were held
                            site     operation               kind  count    total
                            a.B.c:1  java.lang.Thread.sleep  park  7,934  30.1 ms
                        """);
    }

    @Test
    void theAnswerStandsBelowTheSites() {
        Outcome outcome = Outcomes.of("article-cache", "fixed", 21, tasksPerSecond(98.6), NONE);

        assertThat(
                        Summary.of(
                                List.of(
                                        new Outcome(
                                                outcome.run(),
                                                outcome.result(),
                                                outcome.pins(),
                                                "Not pinning: it was too warm."))))
                .endsWith("\n  article-cache, fixed, on JDK 21: Not pinning: it was too warm.\n");
    }

    @Test
    void theClaimsOfTheArticleStandBesideTheMeasurements() {
        assertThat(
                        Summary.of(
                                List.of(
                                        Outcomes.of(
                                                "monitors",
                                                "no-lock",
                                                21,
                                                tasksPerSecond(70_000),
                                                NONE))))
                .contains("JDK  tasks/s  article  carrier time held")
                .contains("21    70,000   92,000");
    }

    @Test
    void aNoteStandsBelowTheFigures() {
        assertThat(
                        Summary.of(
                                List.of(
                                        Outcomes.of(
                                                "monitors",
                                                "no-lock",
                                                25,
                                                new Result(
                                                        Map.of("tasks/s", 1.0),
                                                        List.of("It was too warm.")),
                                                NONE))))
                .contains("\n  no-lock, JDK 25: It was too warm.\n");
    }

    @Test
    void everyCaseHasATableOfItsOwn() {
        assertThat(
                        Summary.of(
                                List.of(
                                        Outcomes.of(
                                                "article-cache",
                                                "fixed",
                                                21,
                                                tasksPerSecond(1),
                                                NONE),
                                        Outcomes.of(
                                                "connection-pool",
                                                "fixed",
                                                21,
                                                tasksPerSecond(1),
                                                NONE))))
                .contains("article-cache: ", "\n\nconnection-pool: ");
    }

    @Test
    void ofManySitesTheFirstFiveAreShown() {
        String[] sites = IntStream.range(0, 9).mapToObj(i -> "site-" + i).toArray(String[]::new);

        assertThat(
                        Summary.of(
                                List.of(
                                        Outcomes.of(
                                                "article-cache",
                                                "pinned",
                                                21,
                                                tasksPerSecond(1),
                                                parks(9, 45, sites)))))
                .contains("site-4")
                .doesNotContain("site-5");
    }
}
