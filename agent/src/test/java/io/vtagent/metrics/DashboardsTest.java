package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.json.BadJsonException;
import io.vtagent.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The meters in docs/dashboards, as far as they can be checked without a Prometheus; the profile
 * {@code fleet} has one.
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

    /** Meters that are not on the dashboard, because their course over time is not needed. */
    private static final Set<String> NOT_ON_THE_DASHBOARD =
            Set.of(
                    "vthread_pinned_seconds", // vthread_held_seconds also has pins in progress
                    "vthread_carriers_max",
                    "vthread_agent_classes_total",
                    "vthread_agent_pins_unattributed_total");

    @Test
    void everyMeterIsOnTheDashboardUnlessItIsNamedHere() throws IOException {
        String dashboard = read("dashboards/vt-agent.json");
        List<String> meters =
                Pattern.compile("(?m)^\\| `vthread[.\\w]+` \\| `(vthread_\\w+)`")
                        .matcher(read("metrics.md"))
                        .results()
                        .map(match -> match.group(1).replaceFirst("_count$", ""))
                        .toList();

        assertThat(meters).hasSizeGreaterThan(20).containsAll(NOT_ON_THE_DASHBOARD);
        assertThat(meters)
                .filteredOn(meter -> !NOT_ON_THE_DASHBOARD.contains(meter))
                .allSatisfy(
                        meter ->
                                assertThat(dashboard)
                                        // of
                                        // {__name__=~"vthread_scheduler_delay_(seconds_max|...)"}
                                        .containsPattern(meter + "(_count|_sum|_max)?[{]"));
    }

    /**
     * The import of the dashboard, also from grafana.com, asks for a data source. A dashboard that
     * is provisioned has the variable alone, so nothing else may refer to the input.
     */
    @Test
    void theDashboardHasTheFormThatGrafanaComTakes() throws IOException, BadJsonException {
        String text = read("dashboards/vt-agent.json");
        JsonFields dashboard = JsonFields.parse(text);

        assertThat(text).contains("\n  \"id\": null,\n");
        assertThat(
                        dashboard.objects(
                                "__inputs",
                                input ->
                                        input.text("name")
                                                + " "
                                                + input.text("type")
                                                + " "
                                                + input.text("pluginId")))
                .containsExactly("DS_PROMETHEUS datasource prometheus");
        JsonFields variable =
                dashboard.object("templating").objects("list", fields -> fields).getFirst();
        assertThat(variable.text("name") + " " + variable.text("type"))
                .isEqualTo("datasource datasource");
        assertThat(variable.object("current").text("value")).isEqualTo("${DS_PROMETHEUS}");
        assertThat(text.split("DS_PROMETHEUS", -1)).hasSize(1 + 3); // name, text, value
        assertThat(Pattern.compile("\"uid\": \"([^\"]+)\"").matcher(text).results())
                .map(match -> match.group(1))
                .containsOnly("vt-agent", "${datasource}");
        assertThat(text).as("hosts").doesNotContain("://", "localhost", "127.0.0.1");
        Set<String> required =
                Set.copyOf(
                        dashboard.objects(
                                "__requires",
                                plugin -> plugin.text("type") + " " + plugin.text("id")));
        assertThat(dashboard.objects("panels", panel -> panel.text("type")))
                .filteredOn(type -> !type.equals("row"))
                .allSatisfy(type -> assertThat(required).contains("panel " + type));
    }

    @Test
    void noPanelHidesAnotherAndEachHasANumberOfItsOwn() throws IOException, BadJsonException {
        record Place(int id, int x, int y, int width, int height) {
            boolean overlaps(Place other) {
                return id != other.id
                        && x < other.x + other.width
                        && other.x < x + width
                        && y < other.y + other.height
                        && other.y < y + height;
            }
        }
        List<Place> places =
                JsonFields.parse(read("dashboards/vt-agent.json"))
                        .objects(
                                "panels",
                                panel -> {
                                    JsonFields at = panel.object("gridPos");
                                    return new Place(
                                            panel.integer("id"),
                                            at.integer("x"),
                                            at.integer("y"),
                                            at.integer("w"),
                                            at.integer("h"));
                                });

        assertThat(places).extracting(Place::id).doesNotHaveDuplicates();
        assertThat(places).allSatisfy(place -> assertThat(places).noneMatch(place::overlaps));
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

    /** Docs: the alerts work with the figures of JMX as well, except for maxima and sites. */
    @Test
    void theRulesOfTheJmxExporterHaveWhatTheAlertsNeed() throws IOException {
        String exported = read("dashboards/jmx-exporter.yml");
        List<String> alerting =
                METRIC.matcher(read("dashboards/vt-agent.rules.yml").replaceAll("(?m)#.*", ""))
                        .results()
                        .map(MatchResult::group)
                        .filter(metric -> !metric.endsWith("_max"))
                        .filter(metric -> !metric.startsWith("vthread_pinned_site_"))
                        .toList();

        assertThat(alerting).hasSizeGreaterThan(5);
        assertThat(alerting)
                .allSatisfy(metric -> assertThat(exported).contains("name: " + metric + "\n"));
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
