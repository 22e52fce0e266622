package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.java21.instrument.binder.jdk.VirtualThreadMetrics;
import io.vtagent.it.reference.Observer;
import io.vtagent.it.reference.Scenario;
import io.vtagent.it.reference.ScenarioMain;
import io.vtagent.it.reference.SettledFigure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.awaitility.Awaitility;
import org.hamcrest.Matcher;

/**
 * Runs scenarios on several JDKs in turns, each JDK in a JVM of its own. Only one of them does
 * something at a time.
 */
final class ScenarioRunner {
    private static final int CARRIERS = 8;

    /** The number of carriers that two CPUs and the sampler can handle. */
    private static final int MAX_CARRIERS = 64;

    private final List<Jdk> jdks;
    private final Duration length;
    private final List<Scenario> scenarios;

    ScenarioRunner(List<Jdk> jdks, Duration length, List<Scenario> scenarios) {
        this.jdks = jdks;
        this.length = length;
        this.scenarios = scenarios;
    }

    /** Measures with the agent, and returns its figures as its endpoint reports them. */
    List<Measurement> agent() {
        return agent("report=off");
    }

    /** The same of one that is started with {@code options}. */
    List<Measurement> agent(String options) {
        List<Measurement> measurements = new ArrayList<>();
        for (List<Scenario> inOneJvm : byJvm()) {
            List<Fork> forks = new ArrayList<>();
            try {
                for (Jdk jdk : jdks) {
                    forks.add(
                            new Fork(
                                    jdk,
                                    start(
                                            launch(jdk).agent("port=0," + options),
                                            Observer.Kind.NOBODY,
                                            inOneJvm)));
                }
                settle(forks);
                for (Scenario scenario : inOneJvm) {
                    forks.forEach(fork -> run(scenario, fork.jvm));
                    settle(forks);
                    forks.forEach(
                            fork ->
                                    measurements.add(
                                            Measurement.of(
                                                    fork.jdk,
                                                    scenario,
                                                    fork.jvm,
                                                    fork.newlyHeldSeconds,
                                                    fork.newlyHeldSecondsByKind)));
                }
            } finally {
                forks.forEach(fork -> fork.jvm.close());
            }
        }
        return measurements;
    }

    /** Measures with an observer in the program itself. */
    List<Measurement> other(Observer.Kind kind) {
        List<Measurement> measurements = new ArrayList<>();
        for (Jdk jdk : jdks) {
            for (List<Scenario> inOneJvm : byJvm()) {
                try (ForkedJvm jvm = start(launch(jdk), kind, inOneJvm)) {
                    for (Scenario scenario : inOneJvm) {
                        run(scenario, jvm);
                        double observed = Measurement.seconds(jvm, scenario, "observed");
                        measurements.add(Measurement.of(jdk, scenario, jvm, observed, Map.of()));
                    }
                }
            }
        }
        return measurements;
    }

    /** The scenarios that follow each other in one JVM. */
    private List<List<Scenario>> byJvm() {
        List<Scenario> together = new ArrayList<>(scenarios);
        together.removeIf(Scenario::isStartUp);
        List<List<Scenario>> all = new ArrayList<>(List.of(together));
        scenarios.stream().filter(Scenario::isStartUp).map(List::of).forEach(all::add);
        return all;
    }

    private static ForkedJvm.Launch launch(Jdk jdk) {
        return ForkedJvm.on(jdk)
                .carriers(CARRIERS)
                .vm("-Djdk.virtualThreadScheduler.maxPoolSize=" + MAX_CARRIERS)
                .vm(
                        "-Djdk.reflect.useNativeAccessorOnly=true",
                        "--enable-native-access=ALL-UNNAMED")
                .classPath(libraries());
    }

    private static Path[] libraries() {
        return List.of(
                        Native.class,
                        VirtualThreadMetrics.class,
                        MeterRegistry.class,
                        KeyValue.class,
                        Histogram.class,
                        Awaitility.class,
                        Matcher.class)
                .stream()
                .map(ForkedJvm::locationOf)
                .toArray(Path[]::new);
    }

    private ForkedJvm start(ForkedJvm.Launch launch, Observer.Kind kind, List<Scenario> inOneJvm) {
        List<Object> arguments = new ArrayList<>(List.of(kind, length.toMillis()));
        arguments.addAll(inOneJvm);
        return launch.main(ScenarioMain.class, arguments.toArray()).awaitLine("warm");
    }

    private static void run(Scenario scenario, ForkedJvm jvm) {
        jvm.proceed().awaitLine(scenario.name() + " done");
    }

    /** Waits until all that comes late has come, to all agents at once. */
    private static void settle(List<Fork> forks) {
        SettledFigure.value(() -> forks.stream().mapToLong(Fork::heldNanos).sum());
        forks.forEach(Fork::advance);
    }

    /** A JVM with the agent, and its figures so far. */
    private static final class Fork {
        final Jdk jdk;
        final ForkedJvm jvm;
        private final Endpoint endpoint;
        private long heldNanos;
        private Map<String, Double> heldSecondsByKind = Map.of();
        double newlyHeldSeconds;
        Map<String, Double> newlyHeldSecondsByKind = Map.of();

        Fork(Jdk jdk, ForkedJvm jvm) {
            this.jdk = jdk;
            this.jvm = jvm;
            endpoint = jvm.endpoint();
        }

        long heldNanos() {
            return (long) endpoint.report().get("heldNanos").number();
        }

        void advance() {
            Json report = endpoint.report();
            assertThat(report.get("active").get("count").number())
                    .as("pins in progress on %s, though nothing runs", jdk)
                    .isZero();
            long nowNanos = (long) report.get("heldNanos").number();
            newlyHeldSeconds = (nowNanos - heldNanos) / 1e9;
            heldNanos = nowNanos;
            Map<String, Double> nowByKind = new HashMap<>();
            for (Json total : report.get("totals").list()) {
                nowByKind.merge(
                        total.get("kind").string(),
                        total.get("heldNanos").number() / 1e9,
                        Double::sum);
            }
            Map<String, Double> newByKind = new HashMap<>(nowByKind);
            heldSecondsByKind.forEach(
                    (kind, seconds) -> newByKind.merge(kind, -seconds, Double::sum));
            heldSecondsByKind = nowByKind;
            newlyHeldSecondsByKind = newByKind;
        }
    }
}
