package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.EndAtOnce;
import io.vtagent.it.workload.OwnLogManager;
import io.vtagent.it.workload.OwnNetwork;
import io.vtagent.it.workload.Pinned;
import io.vtagent.it.workload.TimedWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Metrics that a receiver of OTLP gets, without an open port of the agent. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class OtlpIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SECONDS = " s";
    private static final Set<String> PIN = Set.of("kind", "reason", "compensated");

    /** Every metric, its type and its unit, with its tags. */
    private static final Map<String, Set<String>> CONTRACT =
            Map.ofEntries(
                    Map.entry("vthread.pinned HISTOGRAM" + SECONDS, PIN),
                    Map.entry("vthread.pinned.max GAUGE" + SECONDS, PIN),
                    Map.entry(
                            "vthread.pinned.site HISTOGRAM" + SECONDS,
                            Set.of("site", "caller", "operation", "kind")),
                    Map.entry("vthread.held SUM" + SECONDS, Set.of("kind")),
                    Map.entry("vthread.pinned.active GAUGE ", Set.of("kind")),
                    Map.entry("vthread.pinned.active.longest GAUGE" + SECONDS, Set.of()),
                    Map.entry("vthread.carriers.parallelism GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.size GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.max GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.held GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.time SUM" + SECONDS, Set.of("state")),
                    Map.entry("vthread.lost SUM" + SECONDS, Set.of()),
                    Map.entry("vthread.waiting SUM" + SECONDS, Set.of("cause")),
                    Map.entry("vthread.cpu.throttled SUM" + SECONDS, Set.of()),
                    Map.entry("vthread.threads GAUGE ", Set.of("state")),
                    Map.entry("vthread.carriers.starved HISTOGRAM" + SECONDS, Set.of()),
                    Map.entry("vthread.scheduler.queued GAUGE ", Set.of()),
                    Map.entry("vthread.scheduler.delay HISTOGRAM" + SECONDS, Set.of()),
                    Map.entry("vthread.scheduler.delay.max GAUGE" + SECONDS, Set.of()),
                    Map.entry("vthread.scheduler.delay.current GAUGE" + SECONDS, Set.of()),
                    Map.entry("vthread.submit.failed SUM ", Set.of()),
                    Map.entry("vthread.relief.carriers SUM ", Set.of()),
                    Map.entry("vthread.agent.sensor.up GAUGE ", Set.of("sensor")),
                    Map.entry("vthread.agent.classes SUM ", Set.of("outcome")),
                    Map.entry("vthread.agent.pins.unattributed SUM ", Set.of()));

    @TempDir Path folder;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void everyMeterArrivesWithItsTagsAndTheFiguresOfTheReport() throws IOException {
        Path file = folder.resolve("report.json");
        try (OtlpReceiver receiver = OtlpReceiver.open();
                ForkedJvm jvm =
                        ForkedJvm.on(jdk)
                                .env(
                                        "OTEL_RESOURCE_ATTRIBUTES",
                                        "service.name=other, deployment.environment.name=pr%C3%BCf")
                                .env("OTEL_SERVICE_NAME", "shop")
                                .agent(
                                        "port=off,delay-probe=10ms,relief=stuck,tags=zone:eu-1,report="
                                                + file
                                                + ",otlp=http://"
                                                + receiver.address())
                                .main(Pinned.class, 4, 20)) {
            jvm.awaitLine("warm").proceed().awaitDone();
            assertThat(jvm.end()).isEqualTo(7);

            assertThat(jvm.stderr())
                    .hasSize(2) // relief has a line of its own
                    .last()
                    .asString()
                    .endsWith("; metrics are pushed to http://" + receiver.address())
                    .doesNotContain("/metrics");
            OtlpReceiver.Received last = receiver.last();
            assertThat(last.target()).isEqualTo("POST /v1/metrics");
            assertThat(last.metrics().contract()).isEqualTo(withZone());
            assertThat(last.metrics().points())
                    .allSatisfy(point -> assertThat(point.tags()).containsEntry("zone", "eu-1"));
            assertThat(last.metrics().scope()).isEqualTo("io.vtagent");
            assertThat(last.metrics().resource())
                    .containsEntry("service.name", "shop")
                    .containsEntry("deployment.environment.name", "prüf")
                    .containsOnlyKeys(
                            "service.name",
                            "service.instance.id",
                            "deployment.environment.name",
                            "telemetry.sdk.name",
                            "telemetry.sdk.language");
            assertAreThose(last.metrics(), Json.parse(Files.readString(file)));
        }
    }

    private static Map<String, Set<String>> withZone() {
        Map<String, Set<String>> all = new HashMap<>();
        CONTRACT.forEach(
                (name, tags) -> {
                    Set<String> more = new TreeSet<>(tags);
                    more.add("zone");
                    all.put(name, more);
                });
        return all;
    }

    private static void assertAreThose(OtlpMetrics metrics, Json report) {
        assertThat(report.get("count").number()).isPositive();
        assertThat(metrics.count("vthread.pinned")).isEqualTo((long) report.get("count").number());
        assertThat(metrics.sum("vthread.pinned"))
                .isCloseTo(report.get("heldNanos").number() / 1e9, within(1e-6));
        for (Json total : report.get("totals").list()) {
            String[] tags = {
                "kind",
                total.get("kind").string(),
                "reason",
                total.get("reason").string(),
                "compensated",
                Boolean.toString(total.get("compensated").isTrue())
            };
            assertThat(metrics.count("vthread.pinned", tags))
                    .isEqualTo((long) total.get("count").number());
            assertThat(metrics.sum("vthread.pinned", tags))
                    .isCloseTo(total.get("heldNanos").number() / 1e9, within(1e-6));
        }
        List<Json> sites = report.get("sites").list();
        // some sites are known before they have held a carrier for long
        assertThat(metrics.those("vthread.pinned.site").stream().filter(site -> site.count() > 0))
                .hasSameSizeAs(sites);
        for (Json site : sites) {
            List<OtlpMetrics.Point> points =
                    metrics.those(
                            "vthread.pinned.site",
                            "site",
                            site.get("site").string(),
                            "operation",
                            site.get("operation").string(),
                            "kind",
                            site.get("kind").string());
            assertThat(points).hasSize(1);
            assertThat(points.getFirst().count()).isEqualTo((long) site.get("count").number());
            assertThat(points.getFirst().value())
                    .isCloseTo(site.get("heldNanos").number() / 1e9, within(1e-6));
        }
        assertThat(metrics.count("vthread.scheduler.delay")).isPositive();
    }

    @Test
    void whatIsCountedIsCountedFromTheBeginningOfTheAgentAndInBuckets() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open();
                ForkedJvm jvm =
                        ForkedJvm.on(jdk)
                                .env("OTEL_METRIC_EXPORT_INTERVAL", "100")
                                .env("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
                                .env("OTEL_EXPORTER_OTLP_HEADERS", "api-key=s3cr%3Dt")
                                .agent(
                                        "port=off,report=off,histogram=on,stack-threshold=0,otlp=http://"
                                                + receiver.address()
                                                + "/a%20b?c=d")
                                .main(Pinned.class, 4, 20)) {
            jvm.awaitLine("warm");
            receiver.awaitMore(1);
            jvm.proceed().awaitDone();
            OtlpReceiver.Received late =
                    receiver.await(
                            request ->
                                    !request.metrics()
                                            .those("vthread.pinned.site", "kind", "park")
                                            .isEmpty());
            assertThat(jvm.end()).isEqualTo(7);

            assertThat(late.target()).isEqualTo("POST /a%20b?c=d");
            assertThat(late.headers().get("api-key")).isEqualTo("s3cr=t");
            assertThat(late.headers().get("Content-Encoding")).isEqualTo("gzip");
            OtlpMetrics last = receiver.last().metrics();
            assertThat(last.those("vthread.pinned", "kind", "park", "reason", "class_init"))
                    .singleElement()
                    .satisfies(point -> assertThat(point.bounds()).isGreaterThan(10));
            assertThat(last.those("vthread.pinned"))
                    .allSatisfy(point -> assertThat(point.buckets()).isEqualTo(point.count()));
            assertThat(
                            receiver.received().stream()
                                    .flatMap(request -> request.metrics().points().stream())
                                    .filter(point -> !point.type().equals("GAUGE"))
                                    .map(OtlpMetrics.Point::startNanos)
                                    .distinct())
                    .singleElement()
                    .satisfies(start -> assertThat(start).isPositive());
        }
    }

    @Test
    void ofAJobThatEndsAtOnceTheLastFiguresArrive() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open();
                ForkedJvm jvm =
                        ForkedJvm.on(jdk)
                                .agent("port=off,report=off,otlp=http://" + receiver.address())
                                .main(EndAtOnce.class, 10)) {
            assertThat(jvm.end()).isZero();

            assertThat(receiver.received()).hasSize(1);
            assertThat(receiver.last().metrics().resource())
                    .containsEntry("service.name", "unknown_service:java");
        }
    }

    @Test
    void whileItRunsTheReceiverMayChange() throws IOException {
        try (OtlpReceiver first = OtlpReceiver.open();
                OtlpReceiver second = OtlpReceiver.open();
                ForkedJvm jvm =
                        ForkedJvm.on(jdk)
                                .vm("-XX:+EnableDynamicAgentLoading")
                                .env("OTEL_METRIC_EXPORT_INTERVAL", "100")
                                .agent("port=off,report=off")
                                .main(Pinned.class, 4, 20)) {
            jvm.awaitLine("warm");
            Attaching.attach(jvm, "set,otlp=http://" + first.address());
            first.awaitMore(2);
            Attaching.attach(jvm, "set,otlp=http://" + second.address());
            second.awaitMore(1);
            int whenItWasReplaced = first.received().size();
            second.awaitMore(2);
            assertThat(first.received()).hasSize(whenItWasReplaced);
            Attaching.attach(jvm, "set,otlp=off");
            await().atMost(LIMIT)
                    .until(() -> !Jcmd.run(jvm, "Thread.print").contains("vt-agent-otlp"));
        }
    }

    @Test
    void theApplicationsCookiesPasswordsProxiesHandlersAndLogsAreItsOwn() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open();
                ForkedJvm jvm =
                        ForkedJvm.on(jdk)
                                .vm("-Djava.util.logging.manager=" + OwnLogManager.class.getName())
                                .vm(
                                        "-Dhttp.proxyHost=127.0.0.1",
                                        "-Dhttp.proxyPort=9",
                                        "-DsocksProxyHost=127.0.0.1")
                                .env("OTEL_METRIC_EXPORT_INTERVAL", "100")
                                .agent(
                                        "port=off,report=off,log=debug,otlp=http://"
                                                + receiver.address())
                                .main(OwnNetwork.class)) {
            jvm.awaitLine("ready");
            receiver.answer(401);
            receiver.awaitMore(3);
            receiver.answer(200);
            receiver.awaitMore(3);

            jvm.proceed();
            assertThat(jvm.fact("asked")).isEqualTo("[]");
            assertThat(jvm.fact("logging")).isEqualTo("not initialized");
        }
    }

    @Test
    void withoutTheOptionNothingOfItIsLoaded() throws IOException {
        Path classes = folder.resolve("classes.txt");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Xlog:class+load:file=" + classes)
                        .agent()
                        .main(TimedWaits.class, 1, 1)
                        .awaitDone()) {
            assertThat(jvm.metrics().samples()).isNotEmpty();
            assertThat(jvm.end()).isZero();
        }
        assertThat(Files.readAllLines(classes))
                .anyMatch(line -> line.contains("io.vtagent.exporter.ExporterManager"))
                .noneMatch(
                        line ->
                                line.contains("io.vtagent.exporter.otlp.")
                                        || line.contains(".shaded.protobuf.")
                                        || line.contains(".shaded.opentelemetry.")
                                        || line.contains("io.vtagent.exporter.Otlp"));
    }
}
