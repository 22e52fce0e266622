package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.compatibility.launch.TwoWebApplications;
import io.vtagent.demo.text.Sample;
import jakarta.annotation.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The registry of a real application, in its packaged form, has what {@code /metrics} has. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AppRegistriesIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** The rest is measured anew all the time, or counts what serves the scrapes themselves. */
    private static final String COMPARED =
            "vthread_pinned_seconds_(count|sum)\\{.*kind=(park|wait).*";

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void springBoot3() {
        springBoot("spring-boot-3");
    }

    @Test
    void springBoot4() {
        springBoot("spring-boot-4");
    }

    private void springBoot(String name) {
        try (ForkedJvm jvm = launch().java("-jar", Artifacts.built(name, name + ".jar"))) {
            ServedApplication served = same(jvm, "/actuator/prometheus");
            Json json = Json.parse(served.get("/actuator/metrics/vthread.pinned"));
            assertThat(json.get("name").string()).isEqualTo("vthread.pinned");
            assertThat(json.get("baseUnit").string()).isEqualTo("seconds");
            assertThat(json.get("measurements").list())
                    .anyMatch(
                            measurement ->
                                    measurement.get("statistic").string().equals("COUNT")
                                            && measurement.get("value").number() > 0);
        }
    }

    @Test
    void quarkus() {
        try (ForkedJvm jvm =
                launch().java("-jar", Artifacts.built("quarkus", "quarkus-app/quarkus-run.jar"))) {
            same(jvm, "/q/metrics");
        }
    }

    @Test
    void micronaut() {
        try (ForkedJvm jvm =
                launch().java(
                                "-cp",
                                Artifacts.built("micronaut", "micronaut.jar")
                                        + ":"
                                        + Artifacts.built("micronaut", "lib")
                                        + "/*",
                                "io.vtagent.compatibility.micronaut.Application")) {
            same(jvm, "/prometheus");
        }
    }

    @Test
    void besideTheOpenTelemetryAgentWithItsBridgeOfMicrometer() {
        try (ForkedJvm jvm =
                launch().vm(
                                "-javaagent:" + Artifacts.jar("opentelemetry"),
                                "-Dotel.instrumentation.micrometer.enabled=true",
                                "-Dotel.metrics.exporter=console",
                                "-Dotel.metric.export.interval=2000",
                                "-Dotel.traces.exporter=none",
                                "-Dotel.logs.exporter=none")
                        .java("-jar", Artifacts.built("spring-boot-3", "spring-boot-3.jar"))) {
            same(jvm, "/actuator/prometheus");
            jvm.awaitStderr(line -> line.contains("name=vthread.pinned,"));
            jvm.awaitStderr(line -> line.contains("name=vthread.held,"));
        }
    }

    @Test
    void twoWebApplicationsThatEachBringTheirOwnMicrometer(@TempDir Path folder) {
        try (ForkedJvm jvm =
                launch().classPath(
                                ForkedJvm.locationOf(TwoWebApplications.class),
                                Artifacts.jar("pins"),
                                ForkedJvm.locationOf(Tomcat.class),
                                ForkedJvm.locationOf(Resource.class))
                        .main(TwoWebApplications.class, Artifacts.built("war", "war"), folder)) {
            ServedApplication served = new ServedApplication(jvm, "/one");
            served.serve();
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> {
                                double parks =
                                        jvm.metrics()
                                                .sum(
                                                        "vthread_pinned_seconds_count",
                                                        "kind",
                                                        "park");
                                assertThat(parks).isPositive();
                                assertThat(parks(served.get("/one/metrics"))).isEqualTo(parks);
                                assertThat(parks(served.get("/two/metrics"))).isEqualTo(parks);
                            });
            jvm.proceed().awaitLine("collected");
            served.serve();
            await().atMost(LIMIT)
                    .untilAsserted(
                            () ->
                                    assertThat(parks(served.get("/one/metrics")))
                                            .isEqualTo(
                                                    jvm.metrics()
                                                            .sum(
                                                                    "vthread_pinned_seconds_count",
                                                                    "kind",
                                                                    "park")));
        }
    }

    /** Returns how many parks a web application's own registry counts. */
    private static double parks(String lines) {
        return lines.lines()
                .filter(
                        line ->
                                line.startsWith("vthread.pinned[")
                                        && line.contains("tag(kind=park)")
                                        && line.contains(" COUNT "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private ForkedJvm.Launch launch() {
        return ForkedJvm.on(jdk).carriers(4).agent();
    }

    private static ServedApplication same(ForkedJvm jvm, String path) {
        ServedApplication served = new ServedApplication(jvm);
        served.serve();
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> {
                            Map<String, Double> expected = samples(jvm.metrics());
                            Map<String, Double> own = samples(Metrics.parse(served.get(path)));
                            assertThat(own.keySet()).isEqualTo(expected.keySet());
                            assertThat(compared(own)).isNotEmpty().isEqualTo(compared(expected));
                        });
        return served;
    }

    private static Map<String, Double> samples(Metrics metrics) {
        return metrics.samples().stream()
                .filter(
                        sample ->
                                sample.name().startsWith("vthread_")
                                        && !sample.name().startsWith("vthread_pinned_site"))
                .collect(
                        Collectors.toMap(
                                sample -> sample.name() + new TreeMap<>(sample.labels()),
                                Sample::value,
                                (one, other) -> one,
                                TreeMap::new));
    }

    private static Map<String, Double> compared(Map<String, Double> samples) {
        Map<String, Double> wanted = new TreeMap<>(samples);
        wanted.keySet().removeIf(sample -> !sample.matches(COMPARED));
        return wanted;
    }
}
