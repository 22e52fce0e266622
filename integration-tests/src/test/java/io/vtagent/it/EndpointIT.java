package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.vtagent.demo.text.Sample;
import io.vtagent.it.workload.Initializers;
import io.vtagent.it.workload.SharedMonitor;
import io.vtagent.it.workload.SlowToEnd;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of dashboards: paths, formats, names of meters and their tags. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class EndpointIT {
    private static final Set<String> PIN = Set.of("kind", "reason", "compensated");
    private static final Set<String> SITE = Set.of("site", "caller", "operation", "kind");

    /** Every sample that can be there, with its tags. */
    private static final Map<String, Set<String>> CONTRACT =
            Map.ofEntries(
                    Map.entry("vthread_pinned_seconds_count", PIN),
                    Map.entry("vthread_pinned_seconds_sum", PIN),
                    Map.entry("vthread_pinned_seconds_max", PIN),
                    Map.entry("vthread_pinned_site_seconds_count", SITE),
                    Map.entry("vthread_pinned_site_seconds_sum", SITE),
                    Map.entry("vthread_held_seconds_total", Set.of("kind")),
                    Map.entry("vthread_pinned_active", Set.of("kind")),
                    Map.entry("vthread_pinned_active_longest_seconds", Set.of()),
                    Map.entry("vthread_carriers_parallelism", Set.of()),
                    Map.entry("vthread_carriers_size", Set.of()),
                    Map.entry("vthread_carriers_max", Set.of()),
                    Map.entry("vthread_carriers_held", Set.of()),
                    Map.entry("vthread_carriers_time_seconds_total", Set.of("state")),
                    Map.entry("vthread_lost_seconds_total", Set.of()),
                    Map.entry("vthread_waiting_seconds_total", Set.of("cause")),
                    Map.entry("vthread_cpu_throttled_seconds_total", Set.of()),
                    Map.entry("vthread_carriers_starved_seconds_count", Set.of()),
                    Map.entry("vthread_carriers_starved_seconds_sum", Set.of()),
                    Map.entry("vthread_scheduler_queued", Set.of()),
                    Map.entry("vthread_scheduler_delay_seconds_count", Set.of()),
                    Map.entry("vthread_scheduler_delay_seconds_sum", Set.of()),
                    Map.entry("vthread_scheduler_delay_seconds_max", Set.of()),
                    Map.entry("vthread_scheduler_delay_current_seconds", Set.of()),
                    Map.entry("vthread_submit_failed_total", Set.of()),
                    Map.entry("vthread_threads", Set.of("state")),
                    Map.entry("vthread_agent_sensor_up", Set.of("sensor")),
                    Map.entry("vthread_agent_classes_total", Set.of("outcome")),
                    Map.entry("vthread_agent_pins_unattributed_total", Set.of()));

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void itAnswersUntilTheLastHookOfTheApplicationHasEndedAndIsClosedThen() {
        String closed = "[vt-agent] the endpoint is closed";
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .agent("port=0,report=off,log=debug")
                        .main(SlowToEnd.class)
                        .awaitLine("ready")
                        .awaitBegun()) {
            jvm.proceed().awaitLine("ending");
            assertThat(jvm.metrics().samples()).isNotEmpty();
            assertThat(jvm.stderr()).doesNotContain(closed);

            assertThat(jvm.proceed().end()).isZero();
            assertThat(jvm.stderr()).last().isEqualTo(closed);
        }
    }

    @Test
    void everyMeterOfTheContractIsThereWithItsTagsAndNoOther() {
        try (ForkedJvm jvm = pinning("port=0,report=off")) {
            Map<String, Set<String>> found = new TreeMap<>();
            for (Sample sample : jvm.metrics().samples()) {
                found.computeIfAbsent(sample.name(), name -> new TreeSet<>())
                        .addAll(sample.labels().keySet());
            }
            assertThat(found).isEqualTo(CONTRACT);
        }
    }

    @Test
    void everyMeterIsDescribedAndTyped() {
        try (ForkedJvm jvm = pinning("port=0,report=off")) {
            String text = jvm.metrics().text();
            for (String family :
                    List.of(
                            "vthread_pinned_seconds",
                            "vthread_pinned_site_seconds",
                            "vthread_held_seconds_total",
                            "vthread_pinned_active",
                            "vthread_pinned_active_longest_seconds",
                            "vthread_carriers_parallelism",
                            "vthread_carriers_size",
                            "vthread_carriers_max",
                            "vthread_carriers_held",
                            "vthread_carriers_time_seconds_total",
                            "vthread_lost_seconds_total",
                            "vthread_waiting_seconds_total",
                            "vthread_cpu_throttled_seconds_total",
                            "vthread_carriers_starved_seconds",
                            "vthread_scheduler_queued",
                            "vthread_scheduler_delay_seconds",
                            "vthread_scheduler_delay_current_seconds",
                            "vthread_submit_failed_total",
                            "vthread_threads",
                            "vthread_agent_sensor_up",
                            "vthread_agent_classes_total",
                            "vthread_agent_pins_unattributed_total")) {
                assertThat(text).containsPattern("(?m)^# HELP " + family + " \\w.*$");
                assertThat(text)
                        .containsPattern("(?m)^# TYPE " + family + " (summary|gauge|counter)$");
            }
        }
    }

    @Test
    void theSitesOfAKindAddUpToIt() {
        try (ForkedJvm jvm = pinning("port=0,report=off")) {
            Metrics metrics = jvm.metrics();
            for (String kind : List.of("park", "wait", "io")) { // which hooks count
                assertThat(metrics.sum("vthread_pinned_site_seconds_count", "kind", kind))
                        .isEqualTo((double) metrics.pins("kind", kind));
                assertThat(metrics.sum("vthread_pinned_site_seconds_sum", "kind", kind))
                        .isCloseTo(metrics.heldSeconds("kind", kind), within(1e-6));
            }
            assertThat(metrics.pins()).isPositive();
            Json report = jvm.endpoint().report();
            Json rare = report.get("rare"); // pins that were sampled too rarely for a site
            assertThat(report.get("count").number()).isEqualTo((double) metrics.pins());
            assertThat(
                            metrics.sum("vthread_pinned_site_seconds_count")
                                    + rare.get("count").number())
                    .isEqualTo((double) metrics.pins());
            assertThat(
                            report.get("sites").list().stream()
                                            .mapToDouble(site -> site.get("heldNanos").number())
                                            .sum()
                                    + rare.get("heldNanos").number())
                    .isCloseTo(report.get("heldNanos").number(), within(1.0));
        }
    }

    @Test
    void thePinsOfASiteThatHaveEndedAreEachInABucket() {
        try (ForkedJvm jvm = pinning("port=0,report=off")) {
            Json report = jvm.endpoint().report();
            int buckets = report.get("durationBoundsNanos").list().size() + 1;
            List<Json> sites = report.get("sites").list();
            assertThat(sites).isNotEmpty();
            for (Json site : sites) {
                Json inProgress = site.get("inProgress");
                assertThat(LongStream.of(DurationBars.of(site)).sum())
                        .isEqualTo(
                                (long) site.get("count").number()
                                        - (inProgress.value() == null
                                                ? 0
                                                : (long) inProgress.get("count").number()));
                assertThat(DurationBars.of(site)).hasSizeLessThanOrEqualTo(buckets);
            }
            assertThat(sites.stream().filter(site -> site.get("site").string().contains(holder())))
                    .anySatisfy(
                            site ->
                                    assertThat(DurationBars.of(site).length)
                                            .as("longer than a millisecond")
                                            .isGreaterThan(4));
        }
    }

    @Test
    void theFormatIsWhatTheScraperAcceptsMost() {
        try (ForkedJvm jvm = pinning("port=0,report=off")) {
            Endpoint endpoint = jvm.endpoint();
            HttpResponse<String> plain = endpoint.get("/metrics", "text/plain;version=0.0.4");
            HttpResponse<String> any = endpoint.get("/metrics", "*/*");
            HttpResponse<String> open =
                    endpoint.get(
                            "/metrics",
                            "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");

            assertThat(contentType(plain)).startsWith("text/plain; version=0.0.4");
            assertThat(contentType(any)).startsWith("text/plain; version=0.0.4");
            assertThat(contentType(open)).startsWith("application/openmetrics-text; version=1.0.0");
            assertThat(open.body()).endsWith("# EOF\n");
            assertThat(plain.body()).doesNotContain("# EOF");
            assertThat(Metrics.parse(open.body()).pins())
                    .isEqualTo(Metrics.parse(plain.body()).pins())
                    .isPositive();
        }
    }

    @Test
    void everyPathAnswersInItsOwnType() {
        try (ForkedJvm jvm = pinning("port=0,report=off")) {
            Endpoint endpoint = jvm.endpoint();

            HttpResponse<String> page = endpoint.get("/", "text/html");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(contentType(page)).startsWith("text/html");
            assertThat(page.body())
                    .startsWithIgnoringCase("<!doctype html>")
                    .contains("src=\"page/main.js\"");
            HttpResponse<String> script = endpoint.get("/page/main.js", "*/*");
            assertThat(script.statusCode()).isEqualTo(200);
            assertThat(contentType(script)).startsWith("text/javascript");

            HttpResponse<String> text = endpoint.get("/report", "*/*");
            assertThat(contentType(text)).startsWith("text/plain");
            assertThat(text.body())
                    .contains("[vt-agent] carriers were held for ")
                    .contains(holder());
            HttpResponse<String> saved = endpoint.get("/report?format=html", "*/*");
            assertThat(contentType(saved)).startsWith("text/html");
            assertThat(saved.headers().firstValue("Content-Disposition").orElse(""))
                    .startsWith("attachment");
            assertThat(saved.body()).startsWithIgnoringCase("<!doctype html>").contains(holder());
            assertThat(endpoint.get("/report?format=pdf", "*/*").statusCode()).isEqualTo(400);
            assertThat(endpoint.get("/api/stacks", "*/*").body())
                    .matches("(?s)\\[[a-z_]+];.* \\d+\n");
            Json history = Json.parse(endpoint.get("/api/history", "*/*").body());
            assertThat(history.get("run").string()).isNotEmpty();
            assertThat(history.get("first").number()).isNotNegative();

            HttpResponse<String> report = endpoint.get("/api/report", "*/*");
            assertThat(report.statusCode()).isEqualTo(200);
            assertThat(contentType(report)).startsWith("application/json");
            assertThat(Json.parse(report.body()).get("java").string())
                    .startsWith(Integer.toString(jdk.feature()));

            HttpResponse<String> health = endpoint.get("/healthz", "*/*");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(contentType(health)).startsWith("text/plain");

            assertThat(endpoint.get("/metrics/more", "*/*").statusCode()).isEqualTo(404);
            assertThat(endpoint.get("/favicon.ico", "*/*").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void nothingCanBeSent() {
        try (ForkedJvm jvm = pinning("port=0,report=off")) {
            for (String path : List.of("/metrics", "/", "/api/report", "/healthz")) {
                HttpResponse<String> answer = jvm.endpoint().post(path);

                assertThat(answer.statusCode()).isEqualTo(405);
                assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
            }
        }
    }

    @Test
    void withHistogramOnEveryPinIsInABucket() {
        try (ForkedJvm jvm = pinning("port=0,report=off,histogram=on")) {
            Metrics metrics = jvm.metrics();

            assertThat(metrics.pins()).isPositive();
            for (Sample count : metrics.all("vthread_pinned_seconds_count").toList()) {
                assertThat(
                                metrics.value(
                                        "vthread_pinned_seconds_bucket",
                                        "kind",
                                        count.label("kind"),
                                        "reason",
                                        count.label("reason"),
                                        "compensated",
                                        count.label("compensated"),
                                        "le",
                                        "+Inf"))
                        .isEqualTo(count.value());
            }
        }
    }

    /** A workload that pins on this JDK. */
    private ForkedJvm pinning(String options) {
        ForkedJvm.Launch launch = ForkedJvm.on(jdk).carriers(8).agent(options);
        if (!jdk.monitorsPin()) {
            return launch.main(Initializers.class, "park", 50)
                    .awaitLine("warm")
                    .proceed()
                    .awaitDone();
        }
        return launch.main(SharedMonitor.class, "method", 40, 5)
                .awaitLine("warm")
                .proceed()
                .awaitDone();
    }

    private String holder() {
        return jdk.monitorsPin()
                ? SharedMonitor.class.getName() + ".inMethod"
                : "Initializers$Sleeping.<clinit>";
    }

    private static String contentType(HttpResponse<String> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }
}
