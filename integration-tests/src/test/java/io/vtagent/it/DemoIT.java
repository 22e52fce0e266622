package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.text.Sample;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The main job: the two cases that the README shows, which know nothing of the agent. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DemoIT {
    private static final String CACHE = "io.vtagent.demo.articlecache.ArticleCache";
    private static final String POOL = "io.vtagent.demo.connectionpool.SimpleConnectionPool";

    /**
     * A sample now and then hits a carrier that waits for the JVM: for a class to load, or for a
     * garbage collection.
     */
    private static final double MOMENT = 0.05;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void theArticleCacheHoldsCarriersInTheFetchWhereMonitorsPin() throws IOException {
        try (DemoRun run = demo("article-cache", "pinned")) {
            Metrics metrics = run.metrics();
            if (!jdk.monitorsPin()) {
                assertThat(metrics.pins("reason", "monitor")).isZero();
                return;
            }
            String fetch =
                    CACHE
                            + ".fetchWithCache:"
                            + DemoRun.lineOf("articlecache/ArticleCache.java", "client.get(");

            // the rest is too short for a stack
            assertThat(metrics.shareOfAttributed("park", fetch)).isGreaterThan(0.9);
            assertThat(metrics.shareOfAttributed("enter", CACHE + ".fetchWithCache"))
                    .isGreaterThan(0.9);
            Json site =
                    run.report().get("sites").list().stream()
                            .filter(held -> held.get("kind").string().equals("park"))
                            .findFirst() // that of the most time
                            .orElseThrow();
            assertThat(site.get("site").string()).isEqualTo(fetch);
            assertThat(site.get("operation").string())
                    .isEqualTo("java.nio.channels.SocketChannel.read");
            assertThat(site.get("monitor").string()).isEqualTo(CACHE);
        }
    }

    @Test
    void theConnectionPoolHoldsCarriersInItsWaitsWhereMonitorsPin() {
        try (DemoRun run = demo("connection-pool", "pinned")) {
            long waits = (long) run.figure("waits");
            Metrics metrics = run.metrics();

            assertThat(waits).isPositive();
            assertThat(metrics.pins("kind", "wait")).isEqualTo(jdk.monitorsPin() ? waits : 0);
            if (jdk.monitorsPin()) {
                assertThat(metrics.shareOfAttributed("wait", POOL + ".checkout"))
                        .isGreaterThan(0.99);
            } else {
                assertThat(metrics.pins("reason", "monitor")).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"article-cache", "connection-pool"})
    void theFixedVariantsReportNoPinButWhatTheJvmItselfHoldsForAMoment(String demoCase) {
        try (DemoRun run = demo(demoCase, "fixed")) {
            assertThat(pins(run.metrics()).keySet())
                    .allSatisfy(
                            labels -> {
                                // where monitors do not pin, a thread that is held while it enters
                                // one waits for the JVM, which links a class
                                boolean entersForJvm =
                                        "enter".equals(labels.get("kind")) && !jdk.monitorsPin();
                                assertThat(entersForJvm ? "jvm" : labels.get("kind"))
                                        .isIn("native", "jvm", "class_init");
                                assertThat(labels.get("reason")).isNotEqualTo("monitor");
                            });
            assertThat(run.lost()).isLessThan(MOMENT);
        }
    }

    private DemoRun demo(String demoCase, String variant) {
        return DemoRun.of(jdk, demoCase, variant, 1_000, 20);
    }

    /** The pins by their labels, as far as there are any. */
    private static Map<Map<String, String>, Double> pins(Metrics metrics) {
        return metrics.all("vthread_pinned_seconds_count")
                .filter(sample -> sample.value() > 0)
                .collect(Collectors.toMap(Sample::labels, Sample::value));
    }
}
