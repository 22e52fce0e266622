package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.vtagent.compatibility.launch.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Prometheus' exporter of JMX with the rules of {@code docs/dashboards}: its figures are those of
 * the agent's own endpoint.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class JmxExporterIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path RULES =
            Path.of(System.getProperty("it.root", "../.."), "docs/dashboards/jmx-exporter.yml");

    /** The tolerance for figures that are read one after the other, in seconds. */
    private static final double APART = 1e-3;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void theExporterHasTheFiguresOfTheEndpoint() throws Exception {
        int port = freePort();
        try (ForkedJvm jvm =
                        ForkedJvm.on(jdk)
                                .carriers(4)
                                .agent()
                                .vm(
                                        "-javaagent:"
                                                + Artifacts.jar("jmx-exporter")
                                                + "=127.0.0.1:"
                                                + port
                                                + ":"
                                                + RULES)
                                .classPath(
                                        ForkedJvm.locationOf(Server.class), Artifacts.jar("pins"))
                                .main(Server.class);
                HttpClient client = HttpClient.newHttpClient()) {
            new ServedApplication(jvm).serveAndCount(jvm, jdk);
            URI exporter = URI.create("http://127.0.0.1:" + port + "/metrics");
            HttpRequest scrape = HttpRequest.newBuilder(exporter).build();
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> {
                                Metrics own = jvm.metrics();
                                Metrics exported =
                                        Metrics.parse(
                                                client.send(scrape, BodyHandlers.ofString())
                                                        .body());
                                assertThat(exported.sum("vthread_pins_total"))
                                        .isEqualTo(own.sum("vthread_pinned_seconds_count"))
                                        .isPositive();
                                for (String kind : new String[] {"park", "wait", "io"}) {
                                    assertThat(
                                                    exported.sum(
                                                            "vthread_held_seconds_total",
                                                            "kind",
                                                            kind))
                                            .as(kind)
                                            .isEqualTo(
                                                    own.sum(
                                                            "vthread_held_seconds_total",
                                                            "kind",
                                                            kind),
                                                    within(APART));
                                }
                                for (String same :
                                        new String[] {
                                            "vthread_carriers_parallelism",
                                            "vthread_carriers_max",
                                            "vthread_carriers_starved_seconds_count",
                                            "vthread_carriers_starved_seconds_sum",
                                            "vthread_pinned_active",
                                            "vthread_submit_failed_total"
                                        }) {
                                    assertThat(exported.value(same))
                                            .as(same)
                                            .isEqualTo(own.sum(same));
                                }
                                for (String sampled :
                                        new String[] {
                                            "vthread_lost_seconds_total",
                                            "vthread_waiting_seconds_total",
                                            "vthread_cpu_throttled_seconds_total"
                                        }) {
                                    assertThat(exported.sum(sampled))
                                            .as(sampled)
                                            .isEqualTo(own.sum(sampled), within(APART));
                                }
                                assertThat(
                                                exported.value(
                                                        "vthread_carriers_time_seconds_total",
                                                        "state",
                                                        "running"))
                                        .isPositive();
                                assertThat(exported.value("vthread_scheduler_delay_seconds_count"))
                                        .isPositive();
                                assertThat(
                                                exported.value(
                                                        "vthread_agent_sensor_up",
                                                        "sensor",
                                                        "park"))
                                        .isEqualTo(1);
                            });
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
