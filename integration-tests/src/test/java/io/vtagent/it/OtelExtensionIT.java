package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Native;
import com.sun.tools.attach.VirtualMachine;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.context.Context;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.vtagent.it.workload.EndAtOnce;
import io.vtagent.it.workload.PinsInSpans;
import io.vtagent.it.workload.SampledPinsInSpans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** OpenTelemetry's agent starts this one, and what it exports has what this one measures. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class OtelExtensionIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String SCOPE = "io.vtagent";
    private static final int MILLIS = 400;
    private static final int ROUNDS = 4;
    private static final double SLEPT_SECONDS = (3 * MILLIS + MILLIS / 10) / 1e3;
    private static final Set<String> PIN = Set.of("kind", "reason", "compensated");
    private static final Set<String> SITE = Set.of("site", "caller", "operation", "kind");

    /** Every metric that is there from the start, its type and its unit, with its tags. */
    private static final Map<String, Set<String>> CONTRACT =
            Map.ofEntries(
                    Map.entry("vthread.pinned.count SUM ", PIN),
                    Map.entry("vthread.pinned.sum SUM s", PIN),
                    Map.entry("vthread.pinned.max GAUGE s", PIN),
                    Map.entry("vthread.pinned.site.count SUM ", SITE),
                    Map.entry("vthread.pinned.site.sum SUM s", SITE),
                    Map.entry("vthread.held SUM s", Set.of("kind")),
                    Map.entry("vthread.pinned.active GAUGE ", Set.of("kind")),
                    Map.entry("vthread.pinned.active.longest GAUGE s", Set.of()),
                    Map.entry("vthread.carriers.parallelism GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.size GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.max GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.held GAUGE ", Set.of()),
                    Map.entry("vthread.carriers.time SUM s", Set.of("state")),
                    Map.entry("vthread.lost SUM s", Set.of()),
                    Map.entry("vthread.waiting SUM s", Set.of("cause")),
                    Map.entry("vthread.cpu.throttled SUM s", Set.of()),
                    Map.entry("vthread.threads GAUGE ", Set.of("state")),
                    Map.entry("vthread.carriers.starved.count SUM ", Set.of()),
                    Map.entry("vthread.carriers.starved.sum SUM s", Set.of()),
                    Map.entry("vthread.scheduler.queued GAUGE ", Set.of()),
                    Map.entry("vthread.scheduler.delay.count SUM ", Set.of()),
                    Map.entry("vthread.scheduler.delay.sum SUM s", Set.of()),
                    Map.entry("vthread.scheduler.delay.max GAUGE s", Set.of()),
                    Map.entry("vthread.scheduler.delay.current GAUGE s", Set.of()),
                    Map.entry("vthread.submit.failed SUM ", Set.of()),
                    Map.entry("vthread.agent.sensor.up GAUGE ", Set.of("sensor")),
                    Map.entry("vthread.agent.classes SUM ", Set.of("outcome")),
                    Map.entry("vthread.agent.pins.unattributed SUM ", Set.of()));

    @TempDir Path folder;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void aPinIsInTheMetricsAndAnEventOfTheSpanThatWasCurrent() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open(SCOPE);
                ForkedJvm jvm =
                        withExtension(receiver, extension()).main(PinsInSpans.class, MILLIS)) {
            awaitMetrics(receiver, jvm);
            jvm.proceed().awaitDone();
            double seconds = jvm.number("seconds");
            receiver.await(
                    request -> request.metrics().sum("vthread.pinned.sum", "kind", "park") > 0);
            assertThat(jvm.endpoint().report().get("attached").isTrue()).isFalse();
            assertThat(jvm.end()).isZero();

            OtlpMetrics last = receiver.last().metrics();
            assertThat(last.contract()).isEqualTo(withTag());
            // the agent does not count the waits for a CPU, which are in what the workload measures
            double held = last.sum("vthread.held", "kind", "park");
            assertThat(held).isBetween(0.8 * SLEPT_SECONDS, seconds + 0.2);
            assertThat(last.sum("vthread.pinned.sum", "kind", "park", "reason", "class_init"))
                    .isCloseTo(held, within(0.05));
            // JDK 21 may park twice for one sleep
            assertThat(last.sum("vthread.pinned.count", "kind", "park", "reason", "class_init"))
                    .isBetween(4.0, 8.0);
            assertThat(last.resource()).containsEntry("service.name", "shop");
            String trace = jvm.fact("trace");
            // the second pin in the outer span is shorter than the option wants
            assertHasItsPin(receiver.spans("outer"), trace, "InOuter", seconds);
            assertHasItsPin(receiver.spans("inner"), trace, "InInner", seconds);
        }
    }

    /** A sample finds out that a pin has ended when its span has ended, too. */
    @Test
    void aSampledPinIsAnEventOfTheSpanThatWasCurrentMeanwhile() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open(SCOPE);
                ForkedJvm jvm =
                        withExtension(receiver, extension())
                                .classPath(ForkedJvm.locationOf(Native.class))
                                .main(SampledPinsInSpans.class, MILLIS, ROUNDS)) {
            awaitMetrics(receiver, jvm);
            jvm.proceed().awaitDone();
            assertThat(jvm.end()).isZero();

            assertThat(receiver.spans("inner")).hasSize(1).allSatisfy(has("native"));
            if (!jdk.unmountsWaitersForInitializers()) {
                assertThat(receiver.spans("waiting")).hasSize(1).allSatisfy(has("class_init"));
            }
            assertThat(receiver.spans("long")).hasSize(ROUNDS).allSatisfy(has("native"));
            for (String none : List.of("outer", "after", "brief")) {
                assertThat(receiver.spans(none))
                        .isNotEmpty()
                        .allSatisfy(span -> assertThat(span.getEventsList()).isEmpty());
            }
        }
    }

    /** Exactly one pin, which is not longer than the span. */
    private static ThrowingConsumer<Span> has(String kind) {
        return span -> {
            double seconds = (span.getEndTimeUnixNano() - span.getStartTimeUnixNano()) / 1e9;
            assertThat(span.getEventsList())
                    .singleElement()
                    .satisfies(
                            event -> {
                                assertThat(event.getTimeUnixNano())
                                        .isGreaterThan(span.getStartTimeUnixNano())
                                        .isLessThanOrEqualTo(
                                                span.getEndTimeUnixNano() + 50_000_000);
                                Map<String, AnyValue> attributes = attributes(event);
                                assertThat(text(attributes, "kind")).isEqualTo(kind);
                                assertThat(text(attributes, "caller"))
                                        .startsWith(SampledPinsInSpans.class.getPackageName());
                                assertThat(value(attributes, "duration").getDoubleValue())
                                        .isBetween(MILLIS / 2e3, seconds + 0.05);
                            });
        };
    }

    private static Map<String, AnyValue> attributes(Span.Event event) {
        return event.getAttributesList().stream()
                .collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    private static void assertHasItsPin(
            List<Span> spans, String trace, String holder, double seconds) {
        assertThat(spans).hasSize(1);
        Span span = spans.getFirst();
        assertThat(HexFormat.of().formatHex(span.getTraceId().toByteArray())).isEqualTo(trace);
        assertThat(span.getEventsList())
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.getName()).isEqualTo("vthread.pinned");
                            assertThat(event.getTimeUnixNano())
                                    .isGreaterThan(span.getStartTimeUnixNano())
                                    .isLessThanOrEqualTo(span.getEndTimeUnixNano() + 50_000_000);
                            Map<String, AnyValue> attributes = attributes(event);
                            assertThat(attributes)
                                    .containsOnlyKeys(
                                            "kind",
                                            "reason",
                                            "site",
                                            "caller",
                                            "operation",
                                            "duration");
                            assertThat(text(attributes, "kind")).isEqualTo("park");
                            assertThat(text(attributes, "reason")).isEqualTo("class_init");
                            assertThat(text(attributes, "site"))
                                    .startsWith(
                                            PinsInSpans.class.getName()
                                                    + "$"
                                                    + holder
                                                    + ".<clinit>:");
                            assertThat(text(attributes, "operation"))
                                    .isEqualTo("java.lang.Thread.sleep");
                            assertThat(value(attributes, "duration").getDoubleValue())
                                    .isBetween(0.8 * MILLIS / 1e3, seconds);
                        });
    }

    private static String text(Map<String, AnyValue> attributes, String key) {
        return value(attributes, key).getStringValue();
    }

    private static AnyValue value(Map<String, AnyValue> attributes, String key) {
        return Objects.requireNonNull(attributes.get(key), key);
    }

    private static Map<String, Set<String>> withTag() {
        return CONTRACT.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                entry -> {
                                    Set<String> tags = new TreeSet<>(entry.getValue());
                                    tags.add("zone");
                                    return tags;
                                }));
    }

    @Tag("long")
    @Test
    void ofAJobThatEndsAtOnceTheLastFiguresArrive() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open(SCOPE);
                ForkedJvm jvm =
                        withExtension(receiver, extension())
                                .vm("-Dotel.metric.export.interval=60000")
                                .main(EndAtOnce.class, 10)) {
            assertThat(jvm.end()).isZero();

            assertThat(receiver.last().metrics().those("vthread.held")).isNotEmpty();
        }
    }

    @Test
    void attachedToARunningJvmItStartsThisAgentWhichCanBeDetached() throws Exception {
        Path extensions = Files.createDirectory(folder.resolve("extensions"));
        Files.copy(extension(), extensions.resolve("a.jar"));
        try (OtlpReceiver receiver = OtlpReceiver.open(SCOPE);
                ForkedJvm jvm =
                        launch(receiver)
                                .vm("-XX:+EnableDynamicAgentLoading")
                                .env("OTEL_JAVAAGENT_EXTENSIONS", extensions.toString())
                                .main(PinsInSpans.class, MILLIS)
                                .awaitLine("warm")) {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
            try {
                machine.loadAgent(openTelemetry().toString());
            } finally {
                machine.detach();
            }
            receiver.await(request -> !request.metrics().those("vthread.held").isEmpty());
            assertThat(jvm.endpoint().report().get("attached").isTrue()).isTrue();
            jvm.proceed().awaitDone();
            receiver.await(request -> request.metrics().sum("vthread.held", "kind", "park") > 0);

            Attaching.detach(jvm, 1);
            int before = receiver.received().size();
            await("requests without the agent's metrics")
                    .atMost(LIMIT)
                    .until(
                            () ->
                                    receiver.received().stream()
                                            .skip(before)
                                            .anyMatch(
                                                    request ->
                                                            request.metrics().points().isEmpty()));
            assertThat(jvm.end()).isZero();
        }
    }

    @Tag("long")
    @Test
    void besideThisAgentTheExtensionSaysSoInOneLine() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open(SCOPE);
                ForkedJvm jvm =
                        withExtension(receiver, extension())
                                .agent("report=off")
                                .main(PinsInSpans.class, MILLIS)
                                .awaitLine("warm")) {
            jvm.proceed().awaitDone();
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr())
                    .filteredOn(line -> line.startsWith("[vt-agent]"))
                    .filteredOn(line -> line.contains("an agent runs in this JVM already"))
                    .hasSize(1);
        }
    }

    @Test
    void whatIsNoExtensionSaysThatThereAreNoEvents() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .classPath(api())
                        .agent("port=off,report=off,otel-span-events=1s")
                        .main(PinsInSpans.class, 1)
                        .awaitLine("warm")) {
            jvm.awaitStderr(
                    line ->
                            line.equals(
                                    "[vt-agent] otel-span-events has no effect: this agent is no"
                                            + " extension of OpenTelemetry's agent, expected"
                                            + " -Dotel.javaagent.extensions=vt-agent-otel.jar"));
        }
    }

    @Tag("long")
    @Test
    void whereTheSdkIsDisabledItSaysThatThereAreNoEvents() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.open(SCOPE);
                ForkedJvm jvm =
                        withExtension(receiver, extension())
                                .vm("-Dotel.sdk.disabled=true")
                                .main(PinsInSpans.class, 1)
                                .awaitLine("warm")) {
            jvm.awaitStderr(
                    line ->
                            line.equals(
                                    "[vt-agent] otel-span-events has no effect: OpenTelemetry's SDK"
                                            + " is disabled or configured by a file"
                                            + " (otel.config.file), and does not report when spans"
                                            + " end"));
        }
    }

    private void awaitMetrics(OtlpReceiver receiver, ForkedJvm jvm) {
        jvm.awaitLine("warm");
        receiver.await(request -> !request.metrics().those("vthread.held").isEmpty());
    }

    private ForkedJvm.Launch withExtension(OtlpReceiver receiver, Path extension) {
        return launch(receiver)
                .vm("-javaagent:" + openTelemetry(), "-Dotel.javaagent.extensions=" + extension);
    }

    private ForkedJvm.Launch launch(OtlpReceiver receiver) {
        return ForkedJvm.on(jdk)
                .classPath(api())
                .env("VTAGENT_REPORT", "off")
                .vm(
                        "-Dvtagent.port=0",
                        "-Dvtagent.busy=off", // its sites come and go
                        "-Dvtagent.tags=zone:eu-1",
                        "-Dvtagent.otel-span-events=200ms",
                        "-Dotel.service.name=shop",
                        "-Dotel.logs.exporter=none",
                        "-Dotel.metric.export.interval=200",
                        "-Dotel.bsp.schedule.delay=100",
                        "-Dotel.exporter.otlp.protocol=http/protobuf",
                        "-Dotel.exporter.otlp.endpoint=http://" + receiver.address());
    }

    /** What the application has of OpenTelemetry. */
    private static Path[] api() {
        return List.of(GlobalOpenTelemetry.class, Context.class, ComponentLoader.class).stream()
                .map(ForkedJvm::locationOf)
                .distinct()
                .toArray(Path[]::new);
    }

    /** The extension's jar, as it was built. */
    static Path extension() {
        return Path.of(System.getProperty("it.otel.jar", "../otel/target/vt-agent-otel.jar"))
                .toAbsolutePath()
                .normalize();
    }

    static Path openTelemetry() {
        return Path.of(System.getProperty("it.agents", "target/agents"), "opentelemetry.jar")
                .toAbsolutePath();
    }
}
