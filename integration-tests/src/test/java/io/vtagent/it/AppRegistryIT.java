package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.demo.text.Sample;
import io.vtagent.it.workload.MicrometerUser;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The registry of the application's own Micrometer has the figures of {@code /metrics}. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AppRegistryIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SITES = "vthread_pinned_site_seconds";
    private static final String BUSY_SITES = "vthread_busy_site_";

    /**
     * Meters that are measured anew all the time, or that decay. The bucket of a pin depends on
     * which others are collected with it.
     */
    private static final String RESTLESS =
            "vthread_carriers_time_seconds_total|vthread_waiting_seconds_total|"
                    + "vthread_threads|vthread_busy_site_.*|"
                    + "vthread_(scheduler_delay|carriers_size|agent_classes).*|.*_(max|bucket)";

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void withoutTheSitesItHasTheSameMetersWithTheSameTagsAndValues() {
        try (ForkedJvm jvm = start("tags=app:shop;zone:eu-1")) {
            Map<String, Double> figures = same(jvm, 0, sample -> !isOfSite(sample));
            assertThat(figures.keySet())
                    .anyMatch(name -> name.startsWith("vthread_pinned_seconds_count{app=shop"))
                    .anyMatch(
                            name ->
                                    name.startsWith(
                                            "vthread_scheduler_delay_seconds_max{app=shop"));
            assertThat(pins(figures)).isGreaterThanOrEqualTo(jdk.monitorsPin() ? 12 : 2);

            // one that is added later gets what came before it, and one that is emptied
            // everything again
            ask(jvm, "/add");
            same(jvm, 1, sample -> !isOfSite(sample));
            ask(jvm, "/clear");
            same(jvm, 1, sample -> !isOfSite(sample));
            assertThat(jvm.proceed().end()).isZero();
            assertThat(jvm.stderr()).filteredOn(line -> line.contains("vt-agent")).hasSize(1);
        }
    }

    @Test
    void withTheSitesAndBucketsItHasAll() {
        try (ForkedJvm jvm = start("app-registry=sites,histogram=on")) {
            Map<String, Double> figures = same(jvm, 0, sample -> true);
            assertThat(figures.keySet())
                    .anyMatch(name -> name.startsWith("vthread_pinned_seconds_bucket{"))
                    .anyMatch(
                            name ->
                                    name.startsWith(SITES)
                                            && name.contains(MicrometerUser.class.getName()));
        }
    }

    @Test
    void switchedOffItHasNothing() {
        try (ForkedJvm jvm = start("app-registry=off")) {
            jvm.awaitUptime(6e9);
            assertThat(samples(own(jvm, 0), sample -> true)).isEmpty();
        }
    }

    @Test
    void whatItsFiltersRefuseIsMissingAndNothingElse() {
        try (ForkedJvm jvm = start("log=info", "vthread.held", "vthread.scheduler.queued")) {
            same(
                    jvm,
                    0,
                    sample ->
                            !sample.name()
                                            .matches(
                                                    "vthread_held_seconds_total|vthread_scheduler_queued")
                                    && !isOfSite(sample));
            assertThat(jvm.stderr()).hasSize(1);
        }
    }

    @Test
    void attachedItIsFilledAndDetachedItIsAsItWas(@TempDir Path folder) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .vm("-XX:+EnableDynamicAgentLoading")
                        // What the JDK keeps by soft references only is DetachIT's matter. With
                        // this, the second collection after their last use clears them.
                        .vm("-XX:SoftRefLRUPolicyMSPerMB=0")
                        .classPath(libraries())
                        .main(MicrometerUser.class, "none", "none")
                        .awaitDone()) {
            Attaching.attach(jvm, "port=0,report=off");
            same(jvm, 0, sample -> !isOfSite(sample));

            Attaching.attach(jvm, "set,app-registry=off");
            await().atMost(LIMIT).until(() -> samples(own(jvm, 0), sample -> true).isEmpty());
            Attaching.attach(jvm, "set,app-registry=sites");
            same(jvm, 0, sample -> true);

            Attaching.detach(jvm, 1);
            assertThat(samples(own(jvm, 0), sample -> true)).isEmpty();
            // the first collection still keeps what is softly referenced
            await().atMost(LIMIT).untilAsserted(() -> assertNothingIsLeftIn(jvm, folder));
        }
    }

    private static void assertNothingIsLeftIn(ForkedJvm jvm, Path folder) {
        assertThat(Jcmd.run(jvm, "Thread.print")).doesNotContain("vt-agent");
        assertThat(HeapDump.classes(jvm, folder.resolve("after.hprof")))
                .isNotEmpty()
                .noneMatch(
                        name ->
                                name.startsWith("io.vtagent.exporter.bridge.")
                                        || name.startsWith("io.vtagent.shaded."));
    }

    private ForkedJvm start(String options, String... refused) {
        String throwing = refused.length == 0 ? "none" : refused[0];
        String denied = refused.length == 0 ? "none" : refused[1];
        return ForkedJvm.on(jdk)
                .carriers(4)
                .agent("port=0,report=off," + options)
                .classPath(libraries())
                .main(MicrometerUser.class, throwing, denied)
                .awaitDone();
    }

    private static Path[] libraries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(
                        entry ->
                                entry.matches(
                                        ".*(micrometer|prometheus-metrics|HdrHistogram|LatencyUtils|jspecify).*"))
                .map(Path::of)
                .toArray(Path[]::new);
    }

    /**
     * The samples of the registry of that number, as soon as they are those at {@code /metrics}
     * that are {@code wanted}.
     */
    private static Map<String, Double> same(ForkedJvm jvm, int registry, Predicate<Sample> wanted) {
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> {
                            // the agent's before and after, since the application's are up to a
                            // second old
                            Map<String, Double> before = samples(jvm.metrics(), wanted);
                            Map<String, Double> own = samples(own(jvm, registry), sample -> true);
                            assertThat(own.keySet()).isEqualTo(before.keySet());
                            assertThat(settled(own)).containsExactlyEntriesOf(settled(before));
                        });
        return samples(own(jvm, registry), sample -> true);
    }

    private static Map<String, Double> settled(Map<String, Double> samples) {
        return samples.entrySet().stream()
                .filter(sample -> !sample.getKey().replaceAll("\\{.*", "").matches(RESTLESS))
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                Map.Entry::getValue,
                                (one, other) -> one,
                                TreeMap::new));
    }

    private static double pins(Map<String, Double> samples) {
        return samples.entrySet().stream()
                .filter(sample -> sample.getKey().startsWith("vthread_pinned_seconds_count"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static Map<String, Double> samples(Metrics metrics, Predicate<Sample> wanted) {
        return metrics.samples().stream()
                .filter(sample -> sample.name().startsWith("vthread_"))
                .filter(wanted)
                .collect(
                        Collectors.toMap(
                                sample -> sample.name() + new TreeMap<>(sample.labels()),
                                Sample::value,
                                (one, other) -> one,
                                TreeMap::new));
    }

    private static Metrics own(ForkedJvm jvm, int registry) {
        return Metrics.parse(ask(jvm, "/" + registry));
    }

    private static String ask(ForkedJvm jvm, String path) {
        return new Endpoint(URI.create("http://127.0.0.1:" + jvm.fact("port")))
                .get(path, "*/*")
                .body();
    }

    private static boolean isOfSite(Sample sample) {
        return sample.name().startsWith(SITES) || sample.name().startsWith(BUSY_SITES);
    }
}
