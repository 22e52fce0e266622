package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {

    @Test
    void everyRunHasALineAndOnlyThoseWithPinsHaveSites() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("park", 50L);
        counts.put("enter", 7_934L);
        Pins.Site site = new Pins.Site("a.B.c:1", "java.lang.Thread.sleep", "park", 50, 0.0301);

        String text = Summary.of(List.of(
                outcome("pinned", 1_234.2, new Pins(1_007.917, counts, List.of(site))),
                outcome("fixed", 98.6, new Pins(0, Map.of(), List.of()))));

        assertThat(text).isEqualTo("""
                        case           variant  JDK  tasks/s  carrier time held  pins by kind
                        article-cache  pinned   21     1,234         1,007.92 s  park 50, enter 7,934
                        article-cache  fixed    21        99                0 s  none

                        article-cache, pinned, on JDK 21: where carriers were held
                          site     operation               kind  count    total
                          a.B.c:1  java.lang.Thread.sleep  park     50  30.1 ms
                        """);
    }

    @Test
    void ofManySitesTheFirstFiveAreShown() {
        List<Pins.Site> sites = IntStream.range(0, 9)
                .mapToObj(i -> new Pins.Site("site-" + i, "op", "park", 1, 9 - i))
                .toList();

        assertThat(Summary.of(List.of(outcome("pinned", 1, new Pins(45, Map.of("park", 9L), sites)))))
                .contains("site-4")
                .doesNotContain("site-5");
    }

    @Test
    void whatIsTooShortForMillisecondsIsNotShownAsNothing() {
        assertThat(Summary.of(List.of(outcome("fixed", 1, new Pins(0.000_001, Map.of("enter", 1L), List.of())))))
                .contains("< 0.1 ms  enter 1");
    }

    private static Outcome outcome(String variant, double tasksPerSecond, Pins pins) {
        int tasks = 1_000;
        return new Outcome(
                new Run("article-cache", variant, 21),
                new Result("article-cache", variant, tasks, tasks / tasksPerSecond, 0),
                pins);
    }
}
