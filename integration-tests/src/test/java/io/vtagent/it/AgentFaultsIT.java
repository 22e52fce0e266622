package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.fault.Faults.Kind;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults in the agent's own threads, its endpoint, its report or its start. The application gets
 * its results and never an exception of the agent's, its handler of uncaught exceptions is not
 * called, and what comes after the fault works again or is reported as down.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class AgentFaultsIT {
    private static final int LATER = 3;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** The part of a line that reports what did not start. */
    private static final Pattern SAYS_SO =
            Pattern.compile("runs without the agent| is down|thread .* has ended");

    @Parameter Jdk jdk = Jdks.jdk21();

    private final SoftAssertions softly = new SoftAssertions();

    @Tag("long")
    @Test
    void whenARoundOfTheWatchFailsItGoesOnOrTheSensorIsDown() {
        List<String> points =
                List.of(
                        "CarrierSampler.sample",
                        "KernelThreads.at",
                        "Starvation.sample",
                        "Relief.sample",
                        "JfrReconciler.settle",
                        "Ledger.active",
                        "CarrierPool.carriers",
                        "CarrierPool.mountedOn",
                        "CarrierSampler.isReportedByNow");
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off,relief=on,vm-events=off")) {
            jvm.jvm().awaitSensor("sampler");
            Endpoint endpoint = jvm.jvm().endpoint();
            softly.assertThat(jvm.ask("hold", "NATIVE", 1)).isEqualTo("ok");
            for (String point : points) {
                for (Kind kind : Fault.ALL ? List.of(Kind.values()) : List.of(Kind.OUT_OF_MEMORY)) {
                    holdWhile(jvm, endpoint, new Fault(point, "NATIVE", kind, Integer.MAX_VALUE));
                }
            }
            jvm.endUnharmed(softly);
        }
    }

    private void holdWhile(FaultyJvm jvm, Endpoint endpoint, Fault fault) {
        jvm.ask("fail", fault.point(), fault.kind(), fault.times());
        // on a busy machine some are over before the sampler runs
        await("calls of " + fault)
                .atMost(LIMIT)
                .until(
                        () ->
                                jvm.ask("hold", "NATIVE", 1).equals("ok")
                                        && jvm.ask("hold", "PARK", 1).equals("ok")
                                        && jvm.number("reached") > 0);
        jvm.ask("stop");
        softly.assertThat(jvm.ask("hold", "NATIVE", 1))
                .as("result after %s", fault)
                .isEqualTo("ok");
        Metrics before = endpoint.metrics();
        // the sampler runs now and then: on a busy machine it does not find every call
        jvm.jvm()
                .awaitMetrics(
                        now -> {
                            softly.assertThat(jvm.ask("hold", "NATIVE", 1))
                                    .as("result after %s", fault)
                                    .isEqualTo("ok");
                            return now.since(before).pins("kind", "native") >= LATER
                                    || now.sum("vthread_agent_sensor_up", "sensor", "sampler") == 0;
                        });
        if (endpoint.metrics().sum("vthread_agent_sensor_up", "sensor", "sampler") == 0) {
            jvm.jvm().awaitStderr(line -> line.startsWith("[vt-agent] sensor sampler is down"));
        }
        softly.assertThat(jvm.lentMore())
                .as("carriers added by relief that remain after %s", fault)
                .isZero();
    }

    @Test
    void whenAnEventOfTheJvmCannotBeTakenTheNextOnesAre() {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off,vm-events=on")) {
            // the events start when virtual threads run
            jvm.jvm()
                    .awaitMetrics(
                            metrics ->
                                    metrics.sum("vthread_agent_sensor_up", "sensor", "vm") == 1
                                            || !jvm.ask("hold", "PARK", 1).equals("ok"));
            for (Kind kind : Kind.values()) {
                jvm.ask("fail", "JfrSensor.accept", kind, 2);
                softly.assertThat(jvm.ask("hold", "VM", LATER)).isEqualTo("ok");
                Metrics before = jvm.jvm().metrics();
                softly.assertThat(jvm.ask("hold", "VM", LATER)).isEqualTo("ok");
                jvm.jvm()
                        .awaitMetrics(
                                now ->
                                        now.since(before).pins("kind", "enter") >= LATER
                                                || now.sum(
                                                                "vthread_agent_sensor_up",
                                                                "sensor",
                                                                "vm")
                                                        == 0);
                boolean isDown =
                        jvm.jvm().metrics().sum("vthread_agent_sensor_up", "sensor", "vm") == 0;
                softly.assertThat(jvm.number("stop") > 0 || isDown)
                        .as("called with %s", kind)
                        .isTrue();
            }
            jvm.endUnharmed(softly);
        }
    }

    @Test
    void whenAPageFailsTheAnswerIs500AndTheNextOneIsThePage() {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off")) {
            Endpoint endpoint = jvm.jvm().endpoint();
            softly.assertThat(jvm.ask("hold", "PARK", 1)).isEqualTo("ok");
            for (Kind kind : Kind.values()) {
                fail(jvm, endpoint, "PrometheusExport.scrape", "/metrics", kind);
                fail(jvm, endpoint, "PrometheusExport.scrape:end", "/metrics", kind);
                fail(jvm, endpoint, "Collector.collect", "/metrics", kind);
                fail(jvm, endpoint, "PageFile.text", "/", kind);
                fail(jvm, endpoint, "PageReport.render", "/report?format=html", kind);
                fail(jvm, endpoint, "TextReport.render", "/report", kind);
                fail(jvm, endpoint, "History.write", "/api/history", kind);
                fail(jvm, endpoint, "Stacks.collapsed", "/api/stacks", kind);
                fail(jvm, endpoint, "JsonReport.render", "/api/report", kind);
            }
            jvm.endUnharmed(softly);
        }
    }

    private void fail(FaultyJvm jvm, Endpoint endpoint, String point, String path, Kind kind) {
        jvm.ask("fail", point, kind, Integer.MAX_VALUE);
        try {
            softly.assertThat(endpoint.get(path, "*/*").statusCode())
                    .as("%s with %s in %s", path, kind, point)
                    .isEqualTo(500);
        } catch (AssertionError unanswered) {
            softly.fail("%s with %s in %s: %s", path, kind, point, unanswered);
        }
        jvm.ask("stop");
        HttpResponse<String> later = endpoint.get(path, "*/*");
        softly.assertThat(later.statusCode()).as("%s after %s", path, kind).isEqualTo(200);
        softly.assertThat(later.body()).isNotEmpty();
    }

    @Test
    void whenTheReportAtTheEndFailsTheExitCodeIsTheApplicationsAndNoHandlerIsCalled() {
        for (Kind kind : Fault.ALL ? Kind.values() : new Kind[] {Kind.OUT_OF_MEMORY}) {
            try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=stderr", "TextReport.render " + kind)) {
                jvm.jvm().endpoint();
                softly.assertThat(jvm.ask("hold", "PARK", 1)).isEqualTo("ok");
                jvm.endUnharmed(softly);
                assertThat(jvm.jvm().stderr())
                        .as("that it has struck")
                        .anyMatch(
                                line ->
                                        line.startsWith(
                                                "[vt-agent] there is no report: java.lang."));
            }
        }
    }

    @Test
    void whenTheStartFailsTheApplicationRunsWithoutTheAgent() {
        List<String> points =
                List.of(
                        "AgentOptions.parse",
                        "JavaBase.open",
                        "BootProbe.define",
                        "Installer.install",
                        "SelfTest.run",
                        "Ledger.<init>:end",
                        "CarrierMonitoring.of",
                        "ExporterManager.start",
                        "Ledger.warmUp",
                        "CarrierMonitoring.start");
        for (int i = jdk.monitorsPin() ? 0 : 1; i < points.size(); i += Fault.ALL ? 1 : 2) {
            Kind kind = Fault.kindOf(i);
            try (FaultyJvm jvm =
                    FaultyJvm.on(jdk, "report=stderr,relief=on", points.get(i) + " " + kind)) {
                softly.assertThat(jvm.ask("hold", "PARK", 1)).as(points.get(i)).isEqualTo("ok");
                jvm.jvm()
                        .awaitStderr(
                                line ->
                                        line.startsWith("[vt-agent] ")
                                                && SAYS_SO.matcher(line).find());
                softly.assertThat(jvm.number("stop")).as("calls of %s", points.get(i)).isPositive();
                jvm.endUnharmed(softly);
            }
        }
    }

    @Test
    void aSensorWhoseTestEndsByAnExceptionIsDownAndTheExceptionIsSwallowed() {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off", "WaitInInitializer.await EXCEPTION")) {
            jvm.jvm()
                    .awaitStderr(
                            line ->
                                    line.contains(
                                                    "sensors park, wait is down"
                                                            + " (java.lang.IllegalStateException")
                                            && line.contains(", io,"));
            jvm.jvm()
                    .awaitMetrics(now -> now.sum("vthread_agent_sensor_up", "sensor", "wait") == 0);
            softly.assertThat(jvm.number("stop")).as("calls").isPositive();
            softly.assertThat(jvm.ask("hold", "PARK", 1)).isEqualTo("ok");
            jvm.endUnharmed(softly);
            softly.assertThat(jvm.jvm().stderr()).allMatch(line -> line.startsWith("[vt-agent] "));
        }
        softly.assertAll();
    }

    @Test
    void whereTheWatchCannotBeStartedItIsTriedAgain() {
        try (FaultyJvm jvm =
                FaultyJvm.on(jdk, "report=off", "CarrierMonitoring.start OUT_OF_MEMORY")) {
            jvm.jvm().awaitStderr(line -> line.startsWith("[vt-agent] sensor sampler is down"));
            softly.assertThat(jvm.number("stop")).as("calls of Watch.start").isPositive();
            softly.assertThat(jvm.ask("hold", "PARK", 1)).isEqualTo("ok");
            jvm.jvm().awaitStderr(line -> line.startsWith("[vt-agent] sensor sampler is up again"));
            jvm.endUnharmed(softly);
        }
    }

    @Test
    void whereTheThreadThatWatchesEndsTheSensorIsDown() {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off", "CarrierSampler.run EXCEPTION")) {
            jvm.jvm().awaitStderr(line -> line.startsWith("[vt-agent] sensor sampler is down"));
            jvm.jvm()
                    .awaitMetrics(
                            now -> now.sum("vthread_agent_sensor_up", "sensor", "sampler") == 0);
            softly.assertThat(jvm.number("stop")).as("calls of CarrierSampler.run").isPositive();
            jvm.endUnharmed(softly);
        }
    }

    /** Were anything left behind, pins would be counted twice. */
    @Test
    void afterAStartThatFailedTheJvmIsAsBeforeAndTheAgentCanBeAttached() {
        isAsBefore("Ledger.<init>:end", 1);
        isAsBefore("StartupBanner.open:end", 2);
    }

    /**
     * @param lines how often an endpoint is logged, the last time after all
     */
    private void isAsBefore(String point, int lines) {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off", point + " OUT_OF_MEMORY")) {
            jvm.jvm().awaitStderr(line -> line.contains("the application runs without the agent"));
            jvm.ask("stop");
            softly.assertThat(Jcmd.run(jvm.jvm(), "Thread.print"))
                    .as(point)
                    .doesNotContain("\"vt-agent");
            Attaching.attach(jvm.jvm(), "port=0,report=off");
            Endpoint endpoint = jvm.jvm().endpoint(lines);
            softly.assertThat(jvm.ask("hold", "PARK", LATER)).isEqualTo("ok");
            softly.assertThat(
                            endpoint.metrics().sum("vthread_pinned_seconds_count", "kind", "park"))
                    .as("pins after %s", point)
                    .isEqualTo(LATER);
            jvm.endUnharmed(softly);
        }
    }
}
