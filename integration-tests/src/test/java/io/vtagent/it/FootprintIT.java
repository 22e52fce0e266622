package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.MainOnly;
import io.vtagent.it.workload.ManyParks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The cost of the agent, counted and not timed. */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class FootprintIT {
    private static final int PINS = 100_000;

    /** Half of the smallest object. */
    private static final double NO_OBJECT_BYTES = 8;

    /** The cost of sampling is per second, not per pin. */
    private static final String NO_SAMPLER = ",vm-events=off,sample-interval=off,delay-probe=off";

    /** Figures and reports; and some of these take more time than the rest of the start. */
    private static final Pattern NOT_BEFORE_MAIN =
            Pattern.compile(
                    "io\\.vtagent\\.(shaded\\.(micrometer\\.prometheus|prometheus|httpcore)"
                            + "|report\\.(Text|Html|Json)Report).*"
                            + "|java\\.util\\.Formatter"
                            + "|java\\.lang\\.runtime\\.ObjectMethods"
                            + "|io\\.vtagent\\..*\\$\\$Lambda.*"
                            + "|java\\.util\\.regex\\.Pattern"
                            + "|java\\.net\\.InetAddress");

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void aPinWithoutAStackAllocatesNothing() {
        double without;
        try (ForkedJvm plain = on().main(ManyParks.class, reason(), PINS).awaitLine("warm")) {
            without = plain.proceed().awaitDone().number("bytesPerPin");
        }
        try (ForkedJvm jvm =
                on().agent("port=0,report=off,stack-threshold=1h,log=debug" + NO_SAMPLER)
                        .main(ManyParks.class, reason(), PINS)
                        .awaitLine("warm")
                        .awaitWarmUp()) {
            Metrics before = jvm.metrics();
            double with = jvm.proceed().awaitDone().number("bytesPerPin");

            // a park whose unpark comes early does not block
            assertThat(jvm.metrics().since(before).pins("kind", "park", "reason", reason()))
                    .isBetween((long) (0.95 * PINS), (long) PINS);
            assertThat(with - without).isLessThan(NO_OBJECT_BYTES);
        }
    }

    @Test
    void theAgentHasAHandfulOfThreads() {
        TreeSet<String> threads = new TreeSet<>();
        try (ForkedJvm jvm =
                on().agent("port=0,report=off,vm-events=on")
                        .main(ManyParks.class, reason(), 10)
                        .awaitLine("warm")) {
            jvm.awaitSensor("vm");
            jvm.metrics();
            threads.addAll(List.of(jvm.proceed().awaitDone().fact("threads").split(",", -1)));
        }
        try (ForkedJvm plain = on().main(ManyParks.class, reason(), 10).awaitLine("warm")) {
            List.of(plain.proceed().awaitDone().fact("threads").split(",", -1))
                    .forEach(threads::remove);
        }
        assertThat(threads)
                .contains(
                        "vt-agent",
                        "vt-agent-watch",
                        "vt-agent-delay",
                        "vt-agent-vm-stream",
                        "vt-agent-http-0");
        // the last ones are the JDK's: JFR, a carrier, and the thread that answers other tests that
        // list the JVMs of this machine
        assertThat(threads)
                .allMatch(
                        name ->
                                name.matches(
                                        "vt-agent|vt-agent-watch|vt-agent-delay|vt-agent-vm-(events|stream)|vt-agent-http-\\d+|JFR"
                                            + " .*|ForkJoinPool-1-worker-\\d|Attach Listener"));
    }

    @Test
    void withoutAnEndpointTheJvmsEventsAndTheProbeItHasTwo() {
        try (ForkedJvm jvm =
                on().agent("port=off,report=off,vm-events=off,delay-probe=off")
                        .main(ManyParks.class, reason(), 10)
                        .awaitLine("warm")) {
            assertThat(jvm.proceed().awaitDone().fact("threads").split(",", -1))
                    .filteredOn(name -> name.matches("(vt-agent|HTTP|JFR).*"))
                    .containsExactly("vt-agent", "vt-agent-watch");
        }
    }

    /**
     * In a young JVM, a thread that polls until a hook reports a carrier is awake hundreds of times
     * per second.
     */
    @Test
    void whereThereAreNoCarriersNobodyAsksForThemAllTheTime() {
        try (ForkedJvm jvm =
                on().agent().main(MainOnly.class).awaitLine("main").awaitSensor("io")) {
            long beganNanos = System.nanoTime();
            long before = wakeUps(jvm);
            await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
            double perSecond = (wakeUps(jvm) - before) / ((System.nanoTime() - beganNanos) / 1e9);

            assertThat(perSecond).isLessThan(20);
        }
    }

    /** Returns how often the agent's sampling threads have gone to sleep so far. */
    private static long wakeUps(ForkedJvm jvm) {
        long sum = 0;
        for (Path task : files(Path.of("/proc", Long.toString(jvm.pid()), "task"))) {
            if (read(task.resolve("comm")).getFirst().matches("vt-agent-(watch|delay)")) {
                sum +=
                        read(task.resolve("status")).stream()
                                .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
                                .sum();
            }
        }
        assertThat(sum).isPositive();
        return sum;
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /**
     * Classes for a meter or a report are loaded when there is something to report: many a JVM ends
     * without a virtual thread.
     */
    @Test
    void beforeMainNothingIsLoadedThatOnlyAFigureNeeds() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Xlog:class+load:stdout:none")
                        .agent("port=0")
                        .main(MainOnly.class)
                        .awaitLine("main")) {
            List<String> loaded =
                    jvm.stdout().stream()
                            .filter(line -> line.contains(" source: "))
                            .map(line -> line.substring(0, line.indexOf(" source: ")))
                            .toList();
            assertThat(loaded).contains("io.vtagent.Agent", MainOnly.class.getName());
            assertThat(loaded.subList(0, loaded.indexOf(MainOnly.class.getName())))
                    .noneMatch(name -> NOT_BEFORE_MAIN.matcher(name).matches());
        }
    }

    private ForkedJvm.Launch on() {
        return ForkedJvm.on(jdk).carriers(1).vm("-Djdk.reflect.useNativeAccessorOnly=true");
    }

    private String reason() {
        return jdk.monitorsPin() ? "monitor" : "native";
    }
}
