package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.fault.FaultAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A step of the agent's start never comes to its end: the application runs, its virtual threads
 * run, and SIGTERM ends the JVM.
 */
final class BlockedStartIT {
    private static final int TERMINATED = 128 + 15;

    /** The last report has 10 s, and then the JVM ends without it. */
    private static final long MAX_END_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** JVMs that run at the same time: each of them waits most of the time. */
    private static final int AT_ONCE = 6;

    private static final String LATE = " did not end in time: the application runs";
    private static final String READING = "reading the options" + LATE;
    private static final String PREPARING = "preparing the JVM" + LATE;
    private static final String INSTALLING = "installing the sensors" + LATE;
    private static final String FINDING = "finding the scheduler" + LATE;
    private static final String ASSEMBLING = "putting the agent together" + LATE;
    private static final String BESIDE = "report=stderr,relief=on";
    private static final String BEFORE_MAIN = "report=stdout,otlp=http://127.0.0.1:9";

    /**
     * A point at which the start blocks.
     *
     * @param point the method, as {@code Class.method}
     * @param options with which the start reaches it
     * @param result what is to be in a line on stderr; empty if {@code main} does not wait for that
     */
    private record Step(String point, String options, String result) {}

    /** In the order in which the agent comes by. */
    private static final List<Step> STEPS =
            List.of(
                    new Step("AgentOptions.parse", BESIDE, READING),
                    new Step("JavaBase.open", BESIDE, PREPARING),
                    new Step("AgentProperties.claim", BESIDE, PREPARING),
                    new Step("BootProbe.define", BESIDE, PREPARING),
                    new Step("Transformations.hook", BESIDE, INSTALLING),
                    new Step("VirtualThreads.monitorsPin", BESIDE, INSTALLING),
                    new Step("Installer.install:end", BESIDE, INSTALLING),
                    new Step("CarrierPool.find", BESIDE, FINDING),
                    new Step("ShutdownReportHook.becomes", BESIDE, ASSEMBLING),
                    new Step("AgentComponents.of", BEFORE_MAIN, ASSEMBLING),
                    new Step("EndpointSocket.open", BEFORE_MAIN, ASSEMBLING),
                    new Step("RunningAgent.runs", BEFORE_MAIN, ASSEMBLING),
                    new Step("Ledger.warmUp", BESIDE, "sensors park is not proved yet"),
                    new Step("OwnScheduler.start", BESIDE, "sensors park is not proved yet"),
                    new Step("SelfTest.notices", BESIDE, "io is not proved yet"),
                    new Step("AgentComponents.of", BESIDE, ""),
                    new Step("EndpointSocket.open", BESIDE, ""),
                    new Step("StartupBanner.open", BESIDE, ""),
                    new Step("CarrierSampler.run", BESIDE, ""),
                    new Step("RunningAgent.runs:end", BESIDE, ""),
                    new Step("OtlpExporter.started", BEFORE_MAIN, ""));

    @Test
    void whicheverStepBlocksTheApplicationRunsAndSigtermEndsIt()
            throws InterruptedException, ExecutionException {
        List<Future<?>> runs = new ArrayList<>();
        try (ExecutorService several = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Step step : STEPS) {
                Jdk jdk = runs.size() % 2 == 0 ? Jdks.jdk21() : Jdks.jdk25();
                runs.add(several.submit(() -> runsAndEnds(jdk, step)));
            }
        }
        for (Future<?> run : runs) {
            run.get();
        }
    }

    private static void runsAndEnds(Jdk jdk, Step step) {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, step.options, step.point + " " + FaultAgent.BLOCK)) {
            assertThat(jvm.ask("hold", "PARK", 1)).as(step.toString()).isEqualTo("ok");
            assertThat(jvm.ask("blocked")).as("%s is reached", step).isEqualTo("true");
            if (!step.result.isEmpty()) {
                jvm.jvm()
                        .awaitStderr(
                                line ->
                                        line.startsWith("[vt-agent] ")
                                                && line.contains(step.result));
            }
            assertThat(jvm.number("uncaught")).as(step.toString()).isZero();
            long beganNanos = System.nanoTime();
            assertThat(jvm.jvm().terminate()).as(step.toString()).isEqualTo(TERMINATED);
            assertThat(System.nanoTime() - beganNanos)
                    .as(step.toString())
                    .isLessThan(MAX_END_NANOS);
            assertThat(jvm.jvm().stdout())
                    .as("exceptions that came to the application's handler: %s", step)
                    .noneMatch(line -> line.startsWith("uncaught"));
        }
    }

    /** Neither samples nor the JVM's events can detect a class that is not wrapped. */
    @Test
    void whatIsInstalledLateWrapsTheClassesThatWereLoadedMeanwhile() {
        try (FaultyJvm jvm =
                FaultyJvm.on(
                        Jdks.jdk21(),
                        "report=off,vm-events=off,sample-interval=off",
                        "VirtualThreads.monitorsPin " + FaultAgent.BLOCK)) {
            assertThat(jvm.ask("hold", "ENTER", 1)).isEqualTo("ok");
            assertThat(jvm.ask("release")).isEqualTo("ok");
            jvm.jvm().awaitSensor("enter");
            assertThat(jvm.ask("hold", "ENTER", 3)).isEqualTo("ok");
            jvm.jvm()
                    .awaitMetrics(
                            now -> now.sum("vthread_pinned_seconds_count", "kind", "enter") == 3);
            assertThat(jvm.end()).isZero();
        }
    }
}
