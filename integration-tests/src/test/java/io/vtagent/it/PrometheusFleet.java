package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.EndlessSleeps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of docs/dashboards, in a real Prometheus that scrapes three JVMs, one of which pins.
 * Every time in the files is made shorter here, by {@link #shortened}; {@code promtool test rules}
 * tests the times as they are. The profile {@code fleet} runs it.
 */
final class PrometheusFleet {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Path DASHBOARDS =
            Path.of(System.getProperty("it.root", ".."), "docs", "dashboards").toAbsolutePath();
    private static final String TOKEN = "not-a-secret";

    /** Times of the rules and of the configuration, and what stands for them here. */
    private static final Map<String, String> SHORTER =
            Map.of(
                    "[5m", "[10s",
                    "[10m", "[10s",
                    "[1d", "[5s",
                    "offset 1w", "offset 20s",
                    "for: 2m", "for: 2s",
                    "for: 5m", "for: 3s",
                    "for: 10m", "for: 3s",
                    "interval: 5m", "interval: 1s",
                    "interval: 15s", "interval: 1s");

    private static final Pattern TIME =
            Pattern.compile("(?:\\[|offset |for: |interval: )\\d+[smdw]\\b");

    /** Alerts of any instance, now or before, because alerts that have ended by now count, too. */
    private static final String FIRED = "last_over_time(ALERTS{alertstate=\"firing\"}[10m])";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit does
    private static Path folder;

    private static final List<AutoCloseable> RUNNING = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // by start
    private static ForkedJvm pinning;

    @SuppressWarnings("NullAway.Init") // by start
    private static Prometheus prometheus;

    @BeforeAll
    static void start() throws IOException {
        // the same program on two JDKs, and one that is fixed and has relief
        pinning = sleeping(Jdks.jdk21(), "monitor", "");
        List<ForkedJvm> fleet =
                List.of(
                        pinning,
                        sleeping(Jdks.jdk25(), "monitor", ""),
                        sleeping(Jdks.jdk21(), "lock", ",relief=on"));
        Files.writeString(folder.resolve("vt-agent.token"), TOKEN + "\n");
        Files.writeString(folder.resolve("vt-agent.rules.yml"), shortened("vt-agent.rules.yml"));
        String targets =
                fleet.stream()
                        .map(jvm -> "'" + instance(jvm) + "'")
                        .collect(Collectors.joining(", ", "targets: [", "]"));
        String configuration =
                shortened("prometheus.yml")
                        .replaceAll("targets: \\['orders-.*]", targets)
                        .replaceAll(
                                "targets: \\['stock-.*]", "targets: ['" + instance(pinning) + "']");
        prometheus =
                Prometheus.start(
                        Files.writeString(folder.resolve("prometheus.yml"), configuration), folder);
        RUNNING.add(prometheus);
        prometheus.awaitReady();
    }

    /**
     * Twelve threads on four carriers; each sleeps for longer than a virtual thread may be late.
     */
    private static ForkedJvm sleeping(Jdk jdk, String in, String options) {
        ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .agent("port=0,report=off,token=" + TOKEN + options)
                        .main(EndlessSleeps.class, in, 12, 2_000);
        RUNNING.add(jvm);
        jvm.awaitLine("sleeping");
        return jvm;
    }

    private static String instance(ForkedJvm jvm) {
        return jvm.endpoint().base().getAuthority();
    }

    private static String shortened(String file) throws IOException {
        String whole = Files.readString(DASHBOARDS.resolve(file));
        return TIME.matcher(whole)
                .replaceAll(
                        time -> {
                            assertThat(SHORTER)
                                    .as("%s has a time that is not in SHORTER", file)
                                    .containsKey(time.group());
                            return SHORTER.get(time.group());
                        });
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable running : RUNNING) {
            running.close();
        }
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTests() throws IOException, InterruptedException {
        Path copy = Files.createDirectory(folder.resolve("promtool"));
        for (String file :
                List.of("prometheus.yml", "vt-agent.rules.yml", "vt-agent.rules.test.yml")) {
            Files.copy(DASHBOARDS.resolve(file), copy.resolve(file));
        }
        Files.writeString(copy.resolve("vt-agent.token"), TOKEN);
        Prometheus.promtool(copy, "check", "config", "prometheus.yml");
        Prometheus.promtool(copy, "test", "rules", "vt-agent.rules.test.yml");
    }

    @Test
    void theOneThatPinsFiresItsAlertsAndTheOthersDoNot() {
        Set<String> expected =
                Set.of(
                        "VthreadSchedulerLost",
                        "VthreadSchedulerMostlyLost",
                        "VthreadSchedulerStarved",
                        "VthreadStartsLate");
        eventually("its alerts", () -> firedBy(instance(pinning)).containsAll(expected));
        assertThat(firedBy(instance(pinning))).isEqualTo(expected);

        eventually(
                "the others have been judged",
                () ->
                        values("instance:vthread_scheduler_lost:ratio_rate5m{job=\"orders\"}")
                                        .size()
                                == 3);
        Set<String> others =
                new TreeSet<>(prometheus.labelValues("instance", "vthread_carriers_parallelism"));
        others.remove(instance(pinning));
        assertThat(others).hasSize(2);
        for (String other : others) {
            // a machine with too much to do can be late, which is no fault
            assertThat(firedBy(other)).isSubsetOf("VthreadStartsLate");
        }
    }

    private static Set<String> firedBy(String instance) {
        return prometheus.query(FIRED).stream()
                .map(sample -> sample.get("metric"))
                .filter(labels -> instance.equals(labels.get("instance").value()))
                .map(labels -> labels.get("alertname").string())
                .collect(Collectors.toSet());
    }

    @Test
    void aSiteThatWasNotThereBeforeFiresAndTheFirstOneDoesNot() {
        eventually(
                "it was watched a week ago",
                () ->
                        !values(
                                        "last_over_time(job:vthread_scheduler_lost:ratio_rate5m{job=\"orders\"}[5s]"
                                            + " offset 20s)")
                                .isEmpty());
        assertThat(newSites()).isEmpty();
        pinning.proceed();
        eventually("a new site", () -> !newSites().isEmpty());
        assertThat(newSites()).containsOnly(EndlessSleeps.class.getName() + ".sleepElsewhere");
    }

    private static Set<String> newSites() {
        return prometheus.query(FIRED).stream()
                .map(sample -> sample.get("metric"))
                .filter(labels -> labels.get("alertname").string().equals("VthreadSiteIsNew"))
                .map(labels -> labels.get("holder").string())
                .collect(Collectors.toSet());
    }

    @Test
    void everyExpressionOfTheDashboardGivesData() throws IOException {
        Json dashboard = Json.parse(Files.readString(DASHBOARDS.resolve("vt-agent.json")));
        List<String> expressions =
                dashboard.get("panels").list().stream()
                        .filter(panel -> panel.get("targets").value() != null)
                        .flatMap(panel -> panel.get("targets").list().stream())
                        .map(target -> substituted(target.get("expr").string()))
                        .toList();
        assertThat(expressions).hasSizeGreaterThan(15);
        for (String expression : expressions) {
            eventually(expression, () -> values(expression).stream().anyMatch(Double::isFinite));
        }
    }

    private static String substituted(String expression) {
        String whole =
                expression
                        .replace("$__rate_interval", "10s")
                        .replace("$__range", "1m")
                        .replace("$instance", ".+");
        assertThat(whole).doesNotContain("$");
        return whole;
    }

    @Test
    void theVariableOfTheDashboardListsTheInstances() throws IOException {
        Json dashboard = Json.parse(Files.readString(DASHBOARDS.resolve("vt-agent.json")));
        List<String> queries =
                dashboard.get("templating").get("list").list().stream()
                        .filter(variable -> variable.get("type").string().equals("query"))
                        .map(variable -> variable.get("query").get("query").string())
                        .toList();
        assertThat(queries).containsExactly("label_values(vthread_carriers_parallelism, instance)");
        eventually(
                "all instances",
                () ->
                        prometheus.labelValues("instance", "vthread_carriers_parallelism").size()
                                == 3);
    }

    @Test
    void theRelabellingLeavesTheSitesAwayAndNothingElse() {
        String all =
                "count({job=\"%s\", instance=\""
                        + instance(pinning)
                        + "\", __name__=~\"vthread.*\"})";
        String sites =
                "count({job=\"%s\", instance=\""
                        + instance(pinning)
                        + "\", __name__=~\"vthread_(pinned|busy)_site.*\"})";
        eventually(
                "both jobs",
                () ->
                        !values(all.formatted("stock")).isEmpty()
                                && !values(sites.formatted("orders")).isEmpty());
        assertThat(values(sites.formatted("stock"))).isEmpty();
        eventually(
                "the same but for the sites",
                () ->
                        values(
                                                all.formatted("stock")
                                                        + " == "
                                                        + all.formatted("orders")
                                                        + " - "
                                                        + sites.formatted("orders"))
                                        .size()
                                == 1);
    }

    private static List<Double> values(String expression) {
        return prometheus.query(expression).stream()
                .map(sample -> Double.parseDouble(sample.get("value").list().get(1).string()))
                .toList();
    }

    private static void eventually(String what, BooleanSupplier holds) {
        await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(200)).until(holds::getAsBoolean);
    }
}
