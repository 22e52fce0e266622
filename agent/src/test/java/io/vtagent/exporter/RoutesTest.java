package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.exporter.history.History;
import io.vtagent.exporter.http.BadQueryException;
import io.vtagent.exporter.http.Content;
import io.vtagent.exporter.http.Query;
import io.vtagent.exporter.http.Route;
import io.vtagent.ledger.Ledger;
import io.vtagent.options.AgentOptions;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses of each path. */
class RoutesTest {
    private final AgentOptions options = AgentOptions.parse(null, new Properties(), Map.of());
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final MeasurementSource measurements =
            LedgerMeasurements.of(ledger, System.nanoTime() - 15_500_000_000L);
    private final History history = new History("7c0ffee");
    private final Map<String, Route> routes =
            new Routes(
                            measurements,
                            new Meters(measurements, options),
                            history,
                            new Renderings(history, List.of()),
                            new ThreadsPage(ThreadReadings.ofNobody(), List.of()))
                    .byPath();

    RoutesTest() throws Exception {
        ledger.add(PinKind.PARK, PinReason.MONITOR, 7_000_000, RoutesTest::stack);
        history.add(measurements.report());
    }

    @Test
    void eachPathIsInTheDocumentationAndNoOther() throws IOException {
        List<String> documented =
                Files.readAllLines(Path.of("..", "docs", "http-api.md")).stream()
                        .filter(line -> line.startsWith("## `/"))
                        .map(line -> line.substring("## `".length(), line.lastIndexOf('`')))
                        .toList();

        assertThat(documented)
                .containsExactlyInAnyOrder(
                        "/",
                        "/page/...",
                        "/metrics",
                        "/report",
                        "/api/report",
                        "/threads",
                        "/api/threads",
                        "/api/history",
                        "/api/live",
                        "/api/stacks",
                        "/healthz");
        for (String path : routes.keySet()) {
            assertThat(documented).contains(path.startsWith("/page/") ? "/page/..." : path);
        }
    }

    @Test
    void thePageOfAComparisonIsNotServedSinceItHasNoFigures() {
        assertThat(routes).containsKeys("/page/main.js", "/page/comparison.js");
        assertThat(routes).doesNotContainKeys("/page/diff.html", "/page/diff.js");
    }

    @Test
    void onlyThePageItselfIsOpen() {
        routes.forEach(
                (path, route) ->
                        assertThat(route.open())
                                .as(path)
                                .isEqualTo(path.equals("/") || path.startsWith("/page/")));
    }

    @ParameterizedTest
    @CsvSource({
        "/report, format, , [vt-agent] Pinning, text/plain;" + " charset=utf-8",
        "/report, format, txt, [vt-agent] Pinning, text/plain;" + " charset=utf-8",
        "/report, format, json, '{\"version\":2,', application/json",
        "/api/report, stacks, on, '{\"version\":2,', application/json",
        "/api/stacks, from, , [park];shop.Main.main:3;shop.Cache.get:28 7000, text/plain;"
                + " charset=utf-8",
        "/api/stacks, from, 0, [park];shop.Main.main:3;shop.Cache.get:28 7000, text/plain;"
                + " charset=utf-8",
        "/api/history, from, 0, '{\"run\":\"7c0ffee\",\"beganMillis\":', application/json",
    })
    void aPathAnswersInTheFormatThatIsAskedFor(
            String path, String name, String value, String start, String type) {
        Content.Page page = page(path, value == null ? Map.of() : Map.of(name, value));

        assertThat(page.body()).startsWith(start);
        assertThat(page.contentType()).isEqualTo(type);
        assertThat(page.fileName()).isNull();
    }

    @Test
    void theTextOnRequestAlwaysHasTheStacks() {
        assertThat(page("/report", Map.of()).body())
                .contains("=> at shop.Cache.get(Cache.java:28)");
    }

    @Test
    void stacksAreLeftOutOfTheJsonOnRequest() {
        assertThat(page("/api/report", Map.of()).body())
                .contains("\"stack\":[", "shop.Cache.get(Cache.java:28)");
        assertThat(page("/api/report", Map.of("stacks", "off")).body())
                .contains("\"site\":\"shop.Cache.get:28\"")
                .doesNotContain("\"stack\":[");
    }

    @Test
    void stacksOfAPeriodAreWeightedByWhatWasHeldInIt() {
        assertThat(page("/api/stacks", Map.of("to", "10")).body()).isEmpty();
        assertThat(page("/api/stacks", Map.of("from", "10", "to", "11")).body())
                .endsWith(" 7000\n");
        assertThat(page("/api/stacks", Map.of("from", "900")).body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/report, format, xml, expected format=txt",
        "/report, format, '', expected format=txt",
        "/api/report, stacks, 1, expected stacks=on",
        "/api/stacks, from, x, expected from=",
        "/api/stacks, to, -1, expected to=",
        "/api/history, from, 1.5, expected from=",
    })
    void whatIsNotUnderstoodIsReported(String path, String name, String value, String expected) {
        assertThatThrownBy(() -> page(path, Map.of(name, value)))
                .isInstanceOf(BadQueryException.class)
                .hasMessageStartingWith(expected);
    }

    @Test
    void aReportContainsWhatThereIsNow() {
        ledger.add(PinKind.PARK, PinReason.MONITOR, 1_000_000, RoutesTest::stack);

        assertThat(page("/report", Map.of()).body())
                .contains("[vt-agent] carriers were held for 8.0 ms by 2 pins");
        assertThat(page("/metrics", Map.of()).body()).contains("vthread_pinned_seconds_count");
    }

    @Test
    void eachReaderHasItsOwnEvents() {
        Content.Events first = (Content.Events) content("/api/live", Map.of());
        Content.Events second = (Content.Events) content("/api/live", Map.of());

        String event = first.feed().next();
        assertThat(event)
                .matches("\\{\"run\":\"[0-9a-f]+\",.*")
                .contains(",\"first\":15,\"seconds\":{\"held_park\":[]")
                .contains("},\"report\":{\"version\":2,")
                .doesNotContain("\"sites\"", "\"totals\"");
        assertThat(second.feed().next()).isEqualTo(event);
    }

    private Content.Page page(String path, Map<String, String> parameters) {
        return (Content.Page) content(path, parameters);
    }

    private Content content(String path, Map<String, String> parameters) {
        Route route = Objects.requireNonNull(routes.get(path), path);
        return route.content().apply(new Query(null, parameters));
    }

    private static PinnedStack stack() {
        return new PinnedStack(
                List.of("shop.Cache.get(Cache.java:28)", "shop.Main.main(Main.java:3)"),
                0,
                "shop.Cache.get:28",
                PinnedStack.Cause.MONITOR,
                "shop.Cache",
                "java.lang.Thread.sleep",
                null,
                null,
                Map.of());
    }
}
