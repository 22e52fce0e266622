package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What docs/dashboards says of the meters, as far as that can be told without a Prometheus; the
 * profile {@code fleet} has one.
 */
class DashboardsTest {
    private static final Path DOCS = Path.of("..", "docs");

    /** A metric, and not a part of the name of a recorded one, which have colons. */
    private static final Pattern METRIC = Pattern.compile("(?<![\\w:])vthread_\\w+(?![\\w:])");

    private static final Pattern ENDING = Pattern.compile("_(count|sum|max)$");

    @ParameterizedTest
    @ValueSource(strings = {"vt-agent.json", "vt-agent.rules.yml", "vt-agent.rules.test.yml"})
    void everyMetricIsInTheTableOfTheMeters(String file) throws IOException {
        String meters = read("metrics.md");
        Set<String> metrics =
                METRIC.matcher(read("dashboards/" + file))
                        .results()
                        .map(match -> ENDING.matcher(match.group()).replaceFirst(""))
                        // of {__name__=~"vthread_scheduler_delay_(seconds_max|current_seconds)"}
                        .filter(metric -> !metric.endsWith("_"))
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(metrics).hasSizeGreaterThan(5);
        assertThat(metrics)
                .allSatisfy(
                        metric -> assertThat(meters).containsPattern("`" + metric + "(_count)?`"));
    }

    @Test
    void theExpressionToAlarmOnIsTheSameEverywhere() throws IOException {
        Matcher rule =
                Pattern.compile("record: instance:vthread_scheduler_lost\\S+\\s+expr: (.+)")
                        .matcher(read("dashboards/vt-agent.rules.yml"));
        assertThat(rule.find()).isTrue();
        for (String file : List.of("metrics.md", "../README.md")) {
            assertThat(read(file)).contains(rule.group(1));
        }
    }

    @Test
    void theRulesOfTheJmxExporterNameAttributesOfTheBeanAndMetricsOfTheTable() throws IOException {
        String rules = read("dashboards/jmx-exporter.yml");
        String contract = read("contract/0.1.0.txt");
        String meters = read("metrics.md");
        List<String> attributes =
                Pattern.compile("><>(\\w+): ")
                        .matcher(rules)
                        .results()
                        .map(match -> match.group(1))
                        .toList();
        List<String> metrics =
                Pattern.compile("name: (\\w+)")
                        .matcher(rules)
                        .results()
                        .map(match -> match.group(1).replaceFirst("_(count|sum)$", ""))
                        // pins that have begun, which the endpoint does not count
                        .filter(metric -> !metric.equals("vthread_pins_total"))
                        .toList();

        assertThat(attributes).hasSizeGreaterThan(10);
        assertThat(attributes)
                .allSatisfy(
                        attribute ->
                                assertThat(contract)
                                        .contains("MXBean attribute " + attribute + " is "));
        assertThat(metrics).hasSizeGreaterThan(10);
        assertThat(metrics)
                .allSatisfy(
                        metric -> assertThat(meters).containsPattern("`" + metric + "(_count)?`"));
    }

    @Test
    void everyAlertIsExplained() throws IOException {
        List<String> alerts =
                Pattern.compile("alert: (\\w+)")
                        .matcher(read("dashboards/vt-agent.rules.yml"))
                        .results()
                        .map(match -> "| `" + match.group(1) + "`, ")
                        .toList();
        assertThat(alerts).isNotEmpty();
        assertThat(read("deploying.md")).contains(alerts);
    }

    private static String read(String file) throws IOException {
        return Files.readString(DOCS.resolve(file));
    }
}
