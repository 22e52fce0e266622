package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.stress.DeepPins;
import io.vtagent.it.stress.Interrupting;
import io.vtagent.it.stress.ManyLoaders;
import io.vtagent.it.stress.OutOfMemory;
import io.vtagent.it.workload.ShortPins;
import io.vtagent.it.workload.StuckCarriers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults in the JVM or around it that pass: the agent continues to count, and the application is
 * not affected by the agent.
 */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class RealFaultsIT {
    private static final boolean LONG = Boolean.getBoolean("it.stress");
    private static final int PINS = 55;

    /** A loader with a class takes some 5 KiB of metaspace and heap. */
    private static final double LEFT_OF_A_LOADER_KIB = 1;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void afterStacksThatOverflowedInsideTheHooksEveryPinIsCounted() {
        int rounds = LONG ? 500 : 40;
        try (ForkedJvm plain = launch().vm("-Xss512k").main(DeepPins.class, rounds, PINS)) {
            assertThat(plain.awaitLine("deep").number("uncaught")).isZero();
            assertThat(plain.number("overflows")).isPositive();
        }
        try (ForkedJvm jvm =
                agent("relief=on,vm-events=off")
                        .vm("-Xss512k")
                        .main(DeepPins.class, rounds, PINS)) {
            assertThat(jvm.awaitLine("deep").number("uncaught")).isZero();
            assertThat(jvm.number("overflows")).isPositive();
            isCounted(jvm);
        }
    }

    @Test
    void afterTheHeapWasFullEveryPinIsCountedAndTheSensorsThatAreUpWork() {
        int millis = LONG ? 60_000 : 3_000;
        try (ForkedJvm jvm =
                agent("relief=on,log=debug")
                        .vm("-Xmx48m", "-XX:+UseSerialGC")
                        .main(OutOfMemory.class, millis, PINS)) {
            jvm.awaitLine("started").awaitWarmUp();
            assertThat(jvm.proceed().awaitLine("filled").number("refused")).isPositive();
            isCounted(jvm);
            assertThat(jvm.number("uncaughtLater")).isZero();
            assertThat(jvm.number("uncaughtOfAgent")).isZero();
        }
    }

    @Test
    void threadsOfTheAgentThatAreInterruptedAgainAndAgainNeitherEndNorSpin() {
        try (ForkedJvm jvm =
                agent("relief=on,vm-events=on").main(Interrupting.class, LONG ? 30 : 2, PINS)) {
            // so that all of the agent's threads are there
            jvm.awaitLine("started").awaitSensor("vm").proceed().awaitLine("interrupted");
            assertThat(jvm.fact("agents").replaceAll("[\\[\\],]", " ").split(" +"))
                    .contains("vt-agent", "vt-agent-watch");
            assertThat(jvm.fact("gone")).isEqualTo("[]");
            assertThat(jvm.fact("spinning")).isEqualTo("[]");
            jvm.awaitMetrics(
                    metrics ->
                            metrics.sum("vthread_agent_sensor_up")
                                    == metrics.all("vthread_agent_sensor_up").count());
            isCounted(jvm);
        }
    }

    @Test
    void ofAThousandClassLoadersThatWereDroppedNothingIsLeft() {
        int loaders = LONG ? 10_000 : 1_000;
        try (ForkedJvm jvm = agent("vm-events=off,log=debug").main(ManyLoaders.class, loaders)) {
            jvm.awaitLine("started").awaitWarmUp().proceed().awaitDone();
            assertThat(jvm.number("loaded")).isGreaterThan(loaders);
            assertThat(jvm.number("loadersLeft")).isZero();
            assertThat(jvm.number("classesMore")).isLessThan(0.1 * loaders);
            assertThat(jvm.number("metaspaceKibMore")).isLessThan(LEFT_OF_A_LOADER_KIB * loaders);
            assertThat(jvm.number("heapKibMore")).isLessThan(LEFT_OF_A_LOADER_KIB * loaders);
            assertThat(jvm.proceed().end()).isZero();
        }
    }

    @Test
    void anExitDuringPinsGetsItsExitCodeAndAReport() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0,report=stderr,relief=on")
                        .main(StuckCarriers.class, "exit", 4)) {
            assertThat(jvm.end()).isEqualTo(StuckCarriers.EXIT_CODE);
            assertThat(jvm.stderr())
                    .anyMatch(line -> line.startsWith("[vt-agent] carriers were held for"))
                    .anyMatch(line -> line.contains(StuckCarriers.class.getName()));
        }
    }

    @Test
    void manyThreadsThatPinWhileManyScrapeAreAllCounted() throws Exception {
        int tasks = LONG ? 1_000_000 : 100_000;
        int clients = 50;
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        List<String> paths = List.of("/metrics", "/api/report", "/");
        try (ForkedJvm jvm =
                        agent("vm-events=off,relief=on")
                                .main(
                                        ShortPins.class,
                                        jdk.monitorsPin() ? "monitor" : "native",
                                        tasks);
                ExecutorService scraping = Executors.newFixedThreadPool(clients)) {
            Endpoint endpoint = jvm.endpoint();
            List<CompletableFuture<Void>> scrapes = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                String path = paths.get(client % paths.size());
                scrapes.add(
                        CompletableFuture.runAsync(
                                () -> {
                                    while (!ended.get()) {
                                        assertThat(endpoint.get(path, "*/*").statusCode())
                                                .isEqualTo(200);
                                        answers.incrementAndGet();
                                    }
                                },
                                scraping));
            }
            jvm.awaitLine("pinned");
            ended.set(true);
            scrapes.forEach(CompletableFuture::join);
            assertThat(answers.get()).isPositive();
            Metrics metrics = jvm.metrics();
            assertThat(metrics.pins("kind", "park")).isEqualTo(tasks);
            assertThat(metrics.sites("park").values().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(tasks);
            assertThat(metrics.active("park")).isZero();
        }
    }

    /** The workload goes on to pin the given number of times. */
    private static void isCounted(ForkedJvm jvm) {
        Metrics before = jvm.metrics();
        jvm.proceed().awaitLine("pinned");
        Metrics after = jvm.metrics();
        assertThat(after.since(before).pins("kind", "park")).isEqualTo(PINS);
        assertThat(after.active("park")).isZero();
        assertThat(after.sites("park").values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(after.pins("kind", "park"));
        assertThat(jvm.proceed().end()).isZero();
    }

    private ForkedJvm.Launch launch() {
        return ForkedJvm.on(jdk).carriers(4).vm("-Djdk.reflect.useNativeAccessorOnly=true");
    }

    private ForkedJvm.Launch agent(String options) {
        return launch().agent("port=0,report=off," + options);
    }
}
