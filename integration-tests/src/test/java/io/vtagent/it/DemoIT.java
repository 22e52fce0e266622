package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.Demo;
import io.vtagent.demo.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.h2.Driver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The main job: the cases of the articles, which know nothing of the agent. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DemoIT {
    private static final String CACHE = "io.vtagent.demo.ArticleCache";
    private static final String POOL = "io.vtagent.demo.SimpleConnectionPool";

    @Parameter
    Jdk jdk = Jdks.jdk21();

    @Test
    void theArticleCacheHoldsCarriersInTheFetchWhereMonitorsPin() throws IOException {
        try (ForkedJvm jvm = demo("article-cache", "pinned")) {
            awaitResult(jvm);
            Metrics metrics = jvm.metrics();
            if (!jdk.monitorsPin()) {
                assertThat(metrics.pins("reason", "monitor")).isZero();
                return;
            }
            String fetch = CACHE + ".fetchWithCache:" + lineOf("ArticleCache.java", "client.get(");

            // the rest is too short for a stack
            assertThat(metrics.shareOf("park", fetch)).isGreaterThan(0.9);
            assertThat(metrics.shareOf("enter", CACHE + ".fetchWithCache")).isGreaterThan(0.9);
            Json site = jvm.endpoint().report().get("sites").list().stream()
                    .filter(held -> held.get("kind").string().equals("park"))
                    .findFirst() // that of the most time
                    .orElseThrow();
            assertThat(site.get("site").string()).isEqualTo(fetch);
            assertThat(site.get("operation").string()).isEqualTo("java.nio.channels.SocketChannel.read");
            assertThat(site.get("monitor").string()).isEqualTo(CACHE);
        }
    }

    @Test
    void theConnectionPoolHoldsCarriersInItsWaitsWhereMonitorsPin() {
        try (ForkedJvm jvm = demo("connection-pool", "pinned")) {
            Result result = awaitResult(jvm);
            Metrics metrics = jvm.metrics();

            assertThat(result.waits()).isPositive();
            assertThat(metrics.pins("kind", "wait")).isEqualTo(jdk.monitorsPin() ? result.waits() : 0);
            if (jdk.monitorsPin()) {
                assertThat(metrics.shareOf("wait", POOL + ".checkout")).isGreaterThan(0.99);
            } else {
                assertThat(metrics.pins("reason", "monitor")).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"article-cache", "connection-pool"})
    void theMendedVariantsReportNoPinAtAll(String demoCase) {
        try (ForkedJvm jvm = demo(demoCase, "fixed")) {
            awaitResult(jvm);
            Metrics metrics = jvm.metrics();

            assertThat(pins(metrics)).isEmpty();
        }
    }

    private ForkedJvm demo(String demoCase, String variant) {
        return ForkedJvm.on(jdk)
                .carriers(8)
                .classPath(ForkedJvm.locationOf(Demo.class), ForkedJvm.locationOf(Driver.class))
                .agent()
                .main(Demo.class, "run", demoCase, "--variant", variant, "--hold");
    }

    private static Result awaitResult(ForkedJvm jvm) {
        return Result.parse(jvm.awaitStdout(line -> Result.parse(line).isPresent()))
                .orElseThrow();
    }

    /** The pins by their labels, as far as there are any. */
    private static Map<Map<String, String>, Double> pins(Metrics metrics) {
        return metrics.all("vthread_pinned_seconds_count")
                .filter(sample -> sample.value() > 0)
                .collect(Collectors.toMap(Metrics.Sample::labels, Metrics.Sample::value));
    }

    /** The line of the one place in a source of the demo that contains {@code text}. */
    private static int lineOf(String source, String text) throws IOException {
        Path file = Path.of(System.getProperty("it.root", ".."), "demo-app/src/main/java/io/vtagent/demo", source);
        List<String> lines = Files.readAllLines(file);
        List<String> found = lines.stream().filter(line -> line.contains(text)).toList();
        assertThat(found).hasSize(1);
        return lines.indexOf(found.get(0)) + 1;
    }
}
