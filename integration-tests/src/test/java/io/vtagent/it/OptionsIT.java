package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ManySites;
import io.vtagent.it.workload.OwnMonitors;
import io.vtagent.it.workload.TimedWaits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options, by what they do. */
final class OptionsIT {
    private static final Jdk JDK = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "true, true, true, arguments",
        "false, true, true, properties",
        "false, false, true, environment",
        "false, false, false, file"
    })
    void theFirstSourceThatNamesAnOptionWins(
            boolean arguments, boolean properties, boolean environment, String winner)
            throws IOException {
        Path file = folder.resolve("vt-agent.properties");
        Files.writeString(file, "tags=from:file\nreport=off\n");
        ForkedJvm.Launch launch =
                ForkedJvm.on(JDK)
                        .agent("config=" + file + (arguments ? ",tags=from:arguments" : ""));
        if (properties) {
            launch.vm("-Dvtagent.tags=from:properties");
        }
        if (environment) {
            launch.env("VTAGENT_TAGS", "from:environment");
        }
        launch.env("VTAGENT_PORT", "0");
        try (ForkedJvm jvm = launch.main(TimedWaits.class, 1, 1).awaitDone()) {
            Metrics metrics = jvm.metrics();

            assertThat(metrics.samples())
                    .isNotEmpty()
                    .allSatisfy(sample -> assertThat(sample.label("from")).isEqualTo(winner));
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(1); // the file has turned the report off
        }
    }

    @Test
    void aTagIsOnEverySampleAndCannotBeMistakenForAnother() {
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=0,report=off,tags=service:shop;zone:eu-1")
                        .main(TimedWaits.class, 1, 20)
                        .awaitDone()) {
            assertThat(jvm.metrics().samples())
                    .isNotEmpty()
                    .allSatisfy(
                            sample -> {
                                assertThat(sample.label("service")).isEqualTo("shop");
                                assertThat(sample.label("zone")).isEqualTo("eu-1");
                            });
        }
    }

    @Test
    void aPinShorterThanTheThresholdIsCountedWithoutAStack() {
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=0,report=off,stack-threshold=1h")
                        .main(TimedWaits.class, 10, 20)
                        .awaitDone()) {
            Metrics metrics = jvm.metrics();

            assertThat(metrics.pins("kind", "wait")).isEqualTo(10);
            assertThat(metrics.value("vthread_agent_pins_unattributed_total"))
                    .isEqualTo((double) metrics.pins());
            assertThat(metrics.sites("wait")).containsOnlyKeys("(unattributed)");
        }
    }

    @Test
    void withAThresholdOfNothingEveryPinHasASite() {
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=0,report=off,stack-threshold=0")
                        .main(TimedWaits.class, 10, 20)
                        .awaitDone()) {
            assertThat(jvm.metrics().value("vthread_agent_pins_unattributed_total")).isZero();
        }
    }

    @Test
    void sitesBeyondTheMostShareOne() {
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=0,report=off,max-sites=1")
                        .main(ManySites.class)
                        .awaitDone()) {
            Map<String, Long> sites = jvm.metrics().sites("wait");

            assertThat(sites).hasSize(2).containsEntry("(other)", 2L);
            assertThat(sites.keySet()).anyMatch(site -> site.startsWith(ManySites.class.getName()));
        }
    }

    @Test
    void withSynchronizedOffNoClassIsWrappedAndParksAreCountedAllTheSame() {
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=0,report=off,synchronized=off")
                        .main(OwnMonitors.class, 8, 10)
                        .awaitLine("warm")) {
            Metrics metrics = jvm.metrics();

            assertThat(metrics.value("vthread_agent_classes_total", "outcome", "transformed"))
                    .isZero();
            assertThat(metrics.value("vthread_agent_sensor_up", "sensor", "enter")).isZero();
            assertThat(metrics.value("vthread_agent_sensor_up", "sensor", "park")).isEqualTo(1);
            assertThat(metrics.pins("kind", "park")).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "include=io.vtagent.it.workload.Own, true",
        "include=com.acme;org.acme, false",
        "exclude=io.vtagent.it, false",
        "exclude=com.acme, true"
    })
    void includeAndExcludeSelectTheClassesToWrap(String option, boolean wrapped) {
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=0,report=off," + option)
                        .main(OwnMonitors.class, 8, 10)
                        .awaitLine("warm")) {
            Metrics metrics = jvm.metrics();

            // so far, OwnMonitors is the one class with a monitor
            assertThat(metrics.value("vthread_agent_classes_total", "outcome", "transformed"))
                    .isEqualTo(wrapped ? 1 : 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"txt, [vt-agent] Pinning", "json, {", "html, <!doctype html>"})
    void theReportGoesToAFileInTheFormatOfItsName(String format, String start) throws IOException {
        Path report = folder.resolve("report." + format);
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=off,report=" + report)
                        .main(TimedWaits.class, 10, 20)
                        .awaitDone()) {
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(1);
        }
        assertThat(Files.readString(report))
                .startsWithIgnoringCase(start)
                .contains(TimedWaits.class.getName());
    }

    @Test
    void withoutStacksTheReportFitsAScreen() throws IOException {
        Path report = folder.resolve("report.txt");
        end(ForkedJvm.on(JDK).agent("port=off,report-stacks=off,report=" + report));

        assertThat(Files.readAllLines(report))
                .hasSizeLessThanOrEqualTo(24)
                .allMatch(line -> line.length() <= 100)
                .anyMatch(line -> line.startsWith("  1. ") && line.contains("TimedWaits.waitIn:"))
                .noneMatch(line -> line.contains("=> "));
    }

    @Test
    void theReportTakesThePlaceOfAnOlderOneAsAWhole() throws IOException {
        Path report = Files.writeString(folder.resolve("report.txt"), "an older one");
        Path link = Files.createSymbolicLink(folder.resolve("link.txt"), report);
        try (InputStream older = Files.newInputStream(report)) {
            end(ForkedJvm.on(JDK).agent("port=off,report=" + link));

            // a process that had it open keeps reading the older one
            assertThat(new String(older.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("an older one");
        }
        assertThat(Files.readString(report)).contains(TimedWaits.class.getName());
        assertThat(link).isSymbolicLink();
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("report.txt", "link.txt");
    }

    @Test
    void withPercentPEachProcessHasAReportOfItsOwn() throws IOException {
        ForkedJvm one =
                end(ForkedJvm.on(JDK).agent("port=off,report=" + folder.resolve("100%%-%p.json")));
        ForkedJvm other =
                end(ForkedJvm.on(JDK).agent("port=off,report=" + folder.resolve("100%%-%p.json")));

        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder(
                        "100%-" + one.pid() + ".json", "100%-" + other.pid() + ".json");
    }

    @Test
    void onAFullDiskTheReportGoesToStderrAndTheOlderOneStays() throws IOException {
        Path report = Files.writeString(folder.resolve("report.html"), "an older one");
        // what a file may have at most: the report's begins to be written and cannot be ended
        ForkedJvm jvm =
                end(
                        ForkedJvm.on(JDK)
                                .through("bash", "-c", "ulimit -f 1; exec \"$@\"", "bash")
                                .vm("-XX:-UsePerfData")
                                .agent("port=off,vm-events=off,report=" + report));

        assertThat(jvm.stderr().get(1))
                .startsWith(
                        "[vt-agent] cannot write the report to "
                                + report
                                + " (java.io.IOException: ")
                .endsWith("), it goes to stderr");
        assertThat(jvm.stderr())
                .anyMatch(line -> line.startsWith("[vt-agent] carriers were held for"));
        assertThat(Files.readString(report)).isEqualTo("an older one");
        assertThat(folder.toFile().list()).containsExactly("report.html");
    }

    private static ForkedJvm end(ForkedJvm.Launch launch) {
        try (ForkedJvm jvm = launch.main(TimedWaits.class, 10, 20).awaitDone()) {
            assertThat(jvm.end()).isZero();
            return jvm;
        }
    }

    @Test
    void theJsonReportAtTheEndAddsUp() throws IOException {
        Path report = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(JDK)
                        .agent("port=off,report=" + report)
                        .main(TimedWaits.class, 10, 20)
                        .awaitDone()) {
            jvm.end();
        }
        Json json = Json.parse(Files.readString(report));
        Json total = json.get("totals").list().get(0);
        Json site = json.get("sites").list().get(0);

        assertThat(total.get("kind").string()).isEqualTo("wait");
        assertThat(total.get("reason").string()).isEqualTo("monitor");
        assertThat(total.get("count").number()).isEqualTo(10);
        assertThat(json.get("count").number()).isEqualTo(10);
        assertThat(site.get("heldNanos").number()).isEqualTo(json.get("heldNanos").number());
        assertThat(site.get("operation").string()).isEqualTo("java.lang.Object.wait");
        assertThat(json.get("monitorsPin").isTrue()).isTrue();
    }
}
