package io.vtagent.it;

import static org.awaitility.Awaitility.await;

import io.vtagent.it.fault.Faults.Kind;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults in what pushes metrics, fills the application's registries, answers by JMX, feeds the page
 * or measures the scheduler's delay. The application goes on, and afterwards everything is
 * published again, including what was missed meanwhile.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class ExporterFaultsIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final List<Kind> PASSING = List.of(Kind.OUT_OF_MEMORY, Kind.STACK_OVERFLOW);
    private static final int HELD = 3;

    @Parameter Jdk jdk = Jdks.jdk21();

    private final SoftAssertions softly = new SoftAssertions();
    private int held;

    @Test
    void whenAPushFailsTheNextOneReportsWhatWasMissed() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open()) {
            ForkedJvm.Launch launch = ForkedJvm.on(jdk).env("OTEL_METRIC_EXPORT_INTERVAL", "100");
            String options = "report=off,otlp=http://" + receiver.address();
            try (FaultyJvm jvm =
                    FaultyJvm.on(launch, options, "PushedRegistry.<init>:end OUT_OF_MEMORY")) {
                hold(jvm);
                awaitReached(jvm);
                jvm.ask("stop");
                awaitPushed(jvm, receiver);
                for (String point :
                        List.of(
                                "OtlpPush.abortIfOverdue",
                                "PushedRegistry.push",
                                "PushedRegistry.send",
                                "ResourceDecorator.addTo",
                                "Sender.send",
                                "AllMeters.refresh")) {
                    for (Kind kind : kinds(point)) {
                        failFor(jvm, point, kind);
                        awaitPushed(jvm, receiver);
                    }
                }
                jvm.endUnharmed(softly);
            }
        }
    }

    private void awaitPushed(FaultyJvm jvm, OtlpReceiver receiver) {
        hold(jvm);
        await("what is pushed")
                .atMost(LIMIT)
                .until(
                        () ->
                                !receiver.received().isEmpty()
                                        && receiver.last()
                                                        .metrics()
                                                        .count("vthread.pinned", "kind", "park")
                                                == held);
    }

    @Tag("long")
    @Test
    void whenTheApplicationsRegistryCannotBeFilledItIsFilledLater() {
        for (String point :
                points(
                        "CachedMeterRegistry.<init>:end",
                        "Micrometer.<init>:end",
                        "BridgeWorker.start",
                        "RegistryBridge.<init>:end")) {
            // an exception would mean a Micrometer that the agent does not know
            for (Kind kind : Fault.ALL ? PASSING : PASSING.subList(0, 1)) {
                try (FaultyJvm jvm =
                        FaultyJvm.on(ForkedJvm.on(jdk).classPath(micrometer()), "report=off", "")) {
                    held = 0;
                    jvm.jvm().endpoint();
                    jvm.ask("fail", point, kind, 1);
                    jvm.ask("registry");
                    awaitReached(jvm);
                    awaitRegistered(jvm);
                    jvm.endUnharmed(softly);
                }
            }
        }
        try (FaultyJvm jvm =
                FaultyJvm.on(ForkedJvm.on(jdk).classPath(micrometer()), "report=off", "")) {
            held = 0;
            jvm.ask("registry");
            awaitRegistered(jvm);
            for (String point :
                    points(
                            "AppRegistry.publish",
                            "RegistryBridge.update",
                            "MicrometerInstances.all",
                            "Bridge.update",
                            "CachedMeterRegistry.update",
                            "RegistryBridge.isCleared",
                            "RegistryBridge.publish",
                            "Micrometer.leaves")) {
                for (Kind kind : kinds(point)) {
                    failFor(jvm, point, kind);
                    awaitRegistered(jvm);
                }
            }
            jvm.endUnharmed(softly);
        }
    }

    private void awaitRegistered(FaultyJvm jvm) {
        hold(jvm);
        await("what the application's registry tells")
                .atMost(LIMIT)
                .until(() -> jvm.number("registered", "park") == held);
    }

    private static Path[] micrometer() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(
                        entry ->
                                entry.matches(
                                        ".*(micrometer|HdrHistogram|LatencyUtils|jspecify).*"))
                .map(Path::of)
                .toArray(Path[]::new);
    }

    @Test
    void whenTheMxBeanFailsItsClientGetsAnErrorAndTheNextOneIsAnswered() {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off,sample-interval=off,vm-events=off")) {
            for (String point :
                    List.of("VtAgentBean.getPins", "VtAgentBean.now", "MeasurementSource.report")) {
                for (Kind kind : kinds(point)) {
                    hold(jvm);
                    await("the bean")
                            .atMost(LIMIT)
                            .until(() -> jvm.ask("bean", "Pins"), Integer.toString(held)::equals);
                    jvm.ask("fail", point, kind, Integer.MAX_VALUE);
                    await("the failure of " + point)
                            .atMost(LIMIT)
                            .until(() -> jvm.ask("bean", "Pins").endsWith("injected"));
                    jvm.ask("stop");
                    hold(jvm);
                    await("the bean after " + point)
                            .atMost(LIMIT)
                            .until(() -> jvm.ask("bean", "Pins"), Integer.toString(held)::equals);
                }
            }
            jvm.endUnharmed(softly);
        }
    }

    @Test
    void whenThePageIsFedNoMoreItsConnectionEndsAndTheNextOneIsFed() throws IOException {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off")) {
            Endpoint endpoint = jvm.jvm().endpoint();
            for (String point : List.of("LiveFeed.next", "History.await", "History.writeSeconds")) {
                for (Kind kind : kinds(point)) {
                    jvm.ask("fail", point, kind, Integer.MAX_VALUE);
                    await("a feed that fails in " + point)
                            .atMost(LIMIT)
                            .until(
                                    () -> {
                                        softly.assertThat(isFed(endpoint))
                                                .as("fed with %s in %s", kind, point)
                                                .isFalse();
                                        return jvm.number("reached") > 0;
                                    });
                    jvm.ask("stop");
                    // the endpoint feeds few at a time, and notices within seconds that one has
                    // gone
                    await("a feed after " + point).atMost(LIMIT).until(() -> isFed(endpoint));
                }
            }
            jvm.endUnharmed(softly);
        }
    }

    /** Whether a connection has data before it ends. */
    private static boolean isFed(Endpoint endpoint) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                endpoint.base().resolve("/api/live").toURL().openStream(),
                                StandardCharsets.UTF_8))) {
            return lines.lines().anyMatch(line -> line.startsWith("data:"));
        } catch (IOException | UncheckedIOException cut) {
            return false;
        }
    }

    @Test
    void whenTheDelayCannotBeMeasuredItIsMeasuredLater() {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off,delay-probe=10ms")) {
            Endpoint endpoint = jvm.jvm().endpoint();
            hold(jvm);
            for (String point :
                    List.of(
                            "DelayProbe.round",
                            "DelayProbe.hasMoved",
                            "SubmissionQueue.change",
                            "DelayProbe.began")) {
                for (Kind kind : kinds(point)) {
                    failFor(jvm, point, kind);
                    double before = delays(endpoint.metrics());
                    jvm.jvm()
                            .awaitMetrics(
                                    now ->
                                            jvm.ask("hold", "YIELD", 1).equals("ok")
                                                    && delays(now) > before);
                }
            }
            jvm.endUnharmed(softly);
        }
    }

    private static double delays(Metrics metrics) {
        return metrics.value("vthread_scheduler_delay_seconds_count");
    }

    /**
     * Has {@code point} fail until it has done so more than once, while carriers are held and
     * threads come and go.
     */
    private void failFor(FaultyJvm jvm, String point, Kind kind) {
        jvm.ask("fail", point, kind, Integer.MAX_VALUE);
        hold(jvm);
        await("calls of " + point)
                .atMost(LIMIT)
                .until(() -> jvm.ask("hold", "YIELD", 1).equals("ok") && jvm.number("reached") > 1);
        jvm.ask("stop");
    }

    private static void awaitReached(FaultyJvm jvm) {
        await("the fault").atMost(LIMIT).until(() -> jvm.number("reached") > 0);
    }

    private void hold(FaultyJvm jvm) {
        softly.assertThat(jvm.ask("hold", "PARK", HELD)).isEqualTo("ok");
        held += HELD;
    }

    private static List<String> points(String... all) {
        return Fault.ALL ? List.of(all) : List.of(all).subList(0, 2);
    }

    private static Kind[] kinds(String point) {
        return Fault.ALL ? Kind.values() : new Kind[] {Fault.kindOf(point.length())};
    }
}
