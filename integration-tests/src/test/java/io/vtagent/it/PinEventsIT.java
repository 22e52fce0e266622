package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Native;
import io.vtagent.it.workload.BlockingRead;
import io.vtagent.it.workload.MixedHolds;
import io.vtagent.it.workload.RecordingsAtOnce;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Pins as events of Flight Recorder, in recordings that others make. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class PinEventsIT {
    private static final String EVENT = "io.vtagent.Pin";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ROUNDS = 5;
    private static final int MILLIS = 60;

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    /** Pins of a site, or of a site in a recording. */
    private record Pins(long count, double seconds) {
        Pins and(Pins other) {
            return new Pins(count + other.count, seconds + other.seconds);
        }
    }

    @Test
    void aRecordingHasThePinsOfTheReportWithTheirTimesThreadsAndStacks() throws Exception {
        try (ForkedJvm jvm = launch(",jfr-events=on,vm-events=on").awaitLine("warm")) {
            jvm.awaitSensor("vm");
            jcmd(jvm, "JFR.start", "name=user", "settings=default");
            jvm.proceed().awaitDone();
            Endpoint endpoint = jvm.endpoint();
            await().atMost(LIMIT)
                    .until(
                            () ->
                                    sitesOf(endpoint.report()).keySet().stream()
                                            .anyMatch(site -> site.startsWith("native ")));

            // a sampled pin comes within a second
            await().atMost(LIMIT)
                    .until(
                            () ->
                                    counts(sitesOf(dump(jvm)))
                                            .equals(counts(sitesOf(endpoint.report()))));
            Map<String, Pins> reported = sitesOf(endpoint.report());
            List<RecordedEvent> events = dump(jvm);

            assertThat(sitesOf(events).keySet()).isEqualTo(reported.keySet());
            sitesOf(events)
                    .forEach(
                            (site, recorded) -> {
                                Pins expected = Objects.requireNonNull(reported.get(site));
                                assertThat(recorded.count).as(site).isEqualTo(expected.count);
                                assertThat(recorded.seconds)
                                        .as(site)
                                        .isCloseTo(
                                                expected.seconds, within(0.01 * expected.seconds));
                            });
            assertThat(events)
                    // on a busy machine to load a class takes long enough for a pin of the kind io
                    .filteredOn(event -> event.getString("kind").equals("park"))
                    .isNotEmpty()
                    .allSatisfy(
                            event -> {
                                assertThat(event.getBoolean("sampled")).isFalse();
                                assertThat(event.getThread().isVirtual()).isTrue();
                                assertThat(event.getThread().getJavaThreadId())
                                        .isEqualTo(event.getLong("virtualThreadId"));
                                assertThat(event.getStackTrace().getFrames())
                                        .extracting(PinEventsIT::method)
                                        .startsWith("java.lang.VirtualThread.parkOnCarrierThread")
                                        .noneMatch(
                                                method ->
                                                        method.contains("vtagent.")
                                                                && !method.contains(
                                                                        ".it.workload."));
                                assertThat(event.getStackTrace().getFrames())
                                        .extracting(PinEventsIT::place)
                                        .contains(event.getString("site"));
                            });
            assertThat(events)
                    .filteredOn(event -> event.getBoolean("sampled"))
                    .isNotEmpty()
                    .allSatisfy(
                            event -> {
                                assertThat(event.getStackTrace()).isNull();
                                assertThat(event.getLong("virtualThreadId")).isPositive();
                            });
        }
    }

    @Test
    void theStackOfAReadThatBlocksBeginsInTheJdkAsWell() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .agent("port=0,report=off,jfr-events=on,vm-events=on")
                        .main(BlockingRead.class, folder.resolve("fifo"), 20 * MILLIS)
                        .awaitLine("warm")) {
            jvm.awaitSensor("vm");
            jcmd(jvm, "JFR.start", "name=user", "settings=default");
            jvm.proceed().awaitDone();
            String kind = jdk.monitorsPin() ? "io" : "native";

            await().atMost(LIMIT)
                    .untilAsserted(
                            () ->
                                    assertThat(dump(jvm))
                                            .anySatisfy(
                                                    event -> {
                                                        assertThat(event.getString("kind"))
                                                                .isEqualTo(kind);
                                                        assertThat(event.getDuration())
                                                                .isGreaterThan(
                                                                        Duration.ofMillis(
                                                                                10L * MILLIS));
                                                        if (jdk.monitorsPin()) {
                                                            assertThat(
                                                                            method(
                                                                                    event.getStackTrace()
                                                                                            .getFrames()
                                                                                            .getFirst()))
                                                                    .isEqualTo(
                                                                            "jdk.internal.misc.Blocker.end");
                                                        }
                                                    }));
        }
    }

    @Test
    void withoutTheOptionARecordingHasNone() throws Exception {
        try (ForkedJvm jvm = launch("").awaitLine("warm")) {
            jcmd(jvm, "JFR.start", "name=user", "settings=default");
            jvm.proceed().awaitDone();

            assertThat(jvm.metrics().pins("kind", "park")).isPositive();
            assertThat(dump(jvm)).isEmpty();
        }
    }

    /** JFR calls its listeners with its lock or without, and takes that lock to be asked. */
    @Test
    void threadsThatStartAndCloseRecordingsAtTheSameTimeDoNotLockEachOtherOut() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .agent("port=off,report=off,jfr-events=on,vm-events=on")
                        .main(RecordingsAtOnce.class, 4, 25)) {
            jvm.awaitLine("done");
            assertThat(jvm.end()).isZero();
        }
    }

    private ForkedJvm launch(String options) {
        return ForkedJvm.on(jdk)
                .carriers(16)
                .vm(
                        "-Djdk.reflect.useNativeAccessorOnly=true",
                        "--enable-native-access=ALL-UNNAMED")
                .classPath(ForkedJvm.locationOf(Native.class))
                .agent("port=0,report=off" + options)
                .main(MixedHolds.class, ROUNDS, MILLIS);
    }

    private List<RecordedEvent> dump(ForkedJvm jvm) {
        try {
            Path file = folder.resolve("dump.jfr");
            Files.deleteIfExists(file);
            jcmd(jvm, "JFR.dump", "name=user", "filename=" + file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(EVENT))
                    .filter(event -> isOurs(event.getString("caller")))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Map<String, Pins> sitesOf(List<RecordedEvent> events) {
        Map<String, Pins> sites = new HashMap<>();
        for (RecordedEvent event : events) {
            String site =
                    event.getString("kind")
                            + " "
                            + event.getString("site")
                            + " "
                            + event.getString("caller")
                            + " "
                            + event.getString("operation");
            sites.merge(site, new Pins(1, event.getDuration().toNanos() / 1e9), Pins::and);
        }
        return sites;
    }

    private static Map<String, Long> counts(Map<String, Pins> sites) {
        Map<String, Long> counts = new HashMap<>();
        sites.forEach((site, pins) -> counts.put(site, pins.count));
        return counts;
    }

    private static Map<String, Pins> sitesOf(Json report) {
        Map<String, Pins> sites = new HashMap<>();
        for (Json site : report.get("sites").list()) {
            if (isOurs(site.get("caller").string())) {
                sites.put(
                        site.get("kind").string()
                                + " "
                                + site.get("site").string()
                                + " "
                                + site.get("caller").string()
                                + " "
                                + site.get("operation").string(),
                        new Pins(
                                (long) site.get("count").number(),
                                site.get("heldNanos").number() / 1e9));
            }
        }
        return sites;
    }

    private static boolean isOurs(String caller) {
        return caller.startsWith("io.vtagent.it.workload.");
    }

    private static String method(RecordedFrame frame) {
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }

    private static String place(RecordedFrame frame) {
        return method(frame) + ":" + (frame.getLineNumber() < 0 ? "?" : frame.getLineNumber());
    }

    private static void jcmd(ForkedJvm jvm, String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(jvm.pid())));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String result =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(result).isZero();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
