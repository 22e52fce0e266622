package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.AwaitedInitializer;
import io.vtagent.it.workload.ContendedMonitor;
import io.vtagent.it.workload.StuckCarriers;
import io.vtagent.it.workload.VirtualAtTheEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Pins that no bytecode can show, and that the JVM reports. */
final class VmEventsIT {
    private static final int THREADS = 6;
    private static final int MILLIS = 300;

    /** The minimum time for which they wait. */
    private static final double SECONDS = THREADS * MILLIS / 1e3;

    /** A sampled pin lasts so long that the first sample may come late on a busy machine. */
    private static final int SAMPLED_MILLIS = 2_000;

    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "computeIfAbsent, java.util.concurrent.ConcurrentHashMap.computeIfAbsent",
        "hashtable,       java.util.Hashtable.get"
    })
    void waitingForAMonitorInTheJdkIsAnEntryOfItsMethodWhereMonitorsPin(
            String shape, String method) {
        FinalReport report;
        String caller;
        double waited;
        try (ForkedJvm jvm = contended(Jdks.jdk21(), shape)) {
            waited = jvm.number("seconds");
            caller = jvm.fact("caller");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.pins("enter", "monitor")).isEqualTo(THREADS);
        assertThat(report.heldSeconds("enter")).isBetween(0.99 * SECONDS, 1.01 * waited);
        Json site = report.sites("enter").get(0);
        assertThat(report.sites("enter")).hasSize(1);
        assertThat(site.get("site").string()).startsWith(method + ":");
        assertThat(site.get("operation").string()).isEqualTo(method);
        assertThat(site.get("caller").string()).isEqualTo(caller);
        assertThat(site.get("cause").string()).isEqualTo("monitor");
        // not counted again by the sampler, which may have found a moment of something else
        assertThat(report.heldSeconds("native")).isLessThan(0.2 * SECONDS);
    }

    @Test
    void anEntryThatTheApplicationsOwnCodeReportsIsNotCountedAgain() {
        FinalReport report;
        double waited;
        try (ForkedJvm jvm = contended(Jdks.jdk21(), "block")) {
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.pins("enter")).isEqualTo(THREADS);
        assertThat(report.heldSeconds("enter")).isBetween(0.99 * SECONDS, 1.01 * waited);
        assertThat(report.sites("enter").get(0).get("site").string())
                .startsWith(ContendedMonitor.class.getName() + ".enter:");
    }

    /** Each sample finds it again, and perhaps awake for a moment. */
    @Test
    void anEntryThatOnlySamplesFindIsCountedOnce() {
        FinalReport report;
        double waited;
        try (ForkedJvm jvm =
                launch(Jdks.jdk21(), ",vm-events=off")
                        .main(ContendedMonitor.class, "hashtable", THREADS, SAMPLED_MILLIS)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.pins("enter")).isEqualTo(THREADS);
        assertThat(report.heldSeconds("enter") / waited).isBetween(0.7, 1.2);
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsDoNotPin")
    void anEntryAboveANativeFrameIsCountedThoughMonitorsDoNotPin(Jdk jdk) {
        FinalReport report;
        double waited;
        try (ForkedJvm jvm = contended(jdk, "native")) {
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.pins("enter", "native")).isEqualTo(THREADS);
        assertThat(report.pins("enter")).isEqualTo(THREADS);
        assertThat(report.heldSeconds("enter")).isBetween(0.99 * SECONDS, 1.01 * waited);
        assertThat(report.sites("enter").get(0).get("site").string())
                .startsWith(ContendedMonitor.class.getName() + ".enter:");
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsDoNotPin")
    void anEntryThatLeavesItsCarrierIsNotCounted(Jdk jdk) {
        FinalReport report;
        try (ForkedJvm jvm = contended(jdk, "hashtable")) {
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.pins("enter")).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void waitingForAClassThatAnotherThreadInitializesIsCountedWhereItHolds(Jdk jdk) {
        FinalReport report;
        double waited;
        String initialized;
        try (ForkedJvm jvm =
                launch(jdk, ",vm-events=on")
                        .main(AwaitedInitializer.class, THREADS, MILLIS)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            waited = jvm.number("seconds");
            initialized = jvm.fact("class");
            report = FinalReport.of(jvm, file());
        }

        if (jdk.unmountsWaitersForInitializers()) {
            assertThat(report.pins("class_init")).isZero();
            assertThat(report.heldSeconds("native")).isLessThan(0.2 * SECONDS);
            return;
        }
        assertThat(report.pins("class_init", "class_init")).isEqualTo(THREADS);
        assertThat(report.heldSeconds("class_init")).isBetween(0.99 * SECONDS, 1.01 * waited);
        Json site = report.sites("class_init").get(0);
        assertThat(site.get("caller").string())
                .startsWith(AwaitedInitializer.class.getName() + ".");
        assertThat(site.get("cause").string()).isEqualTo("class_init");
        // up to JDK 23 the event does not contain the class; it was sampled
        assertThat(site.get("monitor").string()).isEqualTo(initialized);
        // not counted again by the sampler, which may have found a moment of something else
        assertThat(report.heldSeconds("native")).isLessThan(0.2 * SECONDS);
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereWaitingForInitializersHolds")
    void whatTheJvmReportsIsInTheMetricsWhileItRuns(Jdk jdk) {
        try (ForkedJvm jvm =
                launch(jdk, ",vm-events=on")
                        .main(AwaitedInitializer.class, THREADS, MILLIS)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            Metrics metrics = jvm.awaitMetrics(now -> now.pins("kind", "class_init") == THREADS);

            assertThat(metrics.heldSeconds("kind", "class_init"))
                    .isBetween(0.99 * SECONDS, 1.01 * jvm.number("seconds"));
            assertThat(metrics.sum("vthread_pinned_site_seconds_count", "kind", "class_init"))
                    .isEqualTo(THREADS);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereWaitingForInitializersHolds")
    void withoutTheJvmsEventsThereIsNoSuchSensorAndTheWaitsAreSampled(Jdk jdk) {
        FinalReport report;
        double waited;
        String initialized;
        try (ForkedJvm jvm =
                launch(jdk, ",vm-events=off")
                        .main(AwaitedInitializer.class, THREADS, SAMPLED_MILLIS)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            assertThat(jvm.metrics().all("vthread_agent_sensor_up", "sensor", "vm")).isEmpty();
            waited = jvm.number("seconds");
            initialized = jvm.fact("class");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.heldSeconds("class_init") / waited).isBetween(0.7, 1.2);
        assertThat(report.sites("class_init").get(0).get("monitor").string())
                .isEqualTo(initialized);
    }

    @ParameterizedTest
    @MethodSource("waysToDoWithoutFlightRecorder")
    void whereFlightRecorderCannotStartOneLineReportsThatAndAllElseWorks(
            Jdk jdk, List<String> options) throws IOException {
        Files.createFile(folder.resolve("no-folder"));
        FinalReport report;
        double waited;
        try (ForkedJvm jvm =
                launch(jdk, ",vm-events=on")
                        .vm(
                                options.stream()
                                        .map(option -> option.replace("FOLDER", folder.toString()))
                                        .toArray(String[]::new))
                        .main(AwaitedInitializer.class, THREADS, SAMPLED_MILLIS)) {
            String line = jvm.awaitStderr(error -> error.contains("sensor vm is down"));
            assertThat(line).startsWith("[vt-agent] ");
            assertThat(jvm.metrics().value("vthread_agent_sensor_up", "sensor", "vm")).isZero();
            for (String other : List.of("park", "wait", "io", "sampler")) {
                assertThat(jvm.metrics().value("vthread_agent_sensor_up", "sensor", other))
                        .isEqualTo(1);
            }
            jvm.proceed().awaitDone();
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
            assertThat(jvm.stderr()).filteredOn(each -> each.startsWith("[vt-agent] ")).hasSize(2);
        }

        assertThat(report.heldSeconds("class_init") / waited).isBetween(0.7, 1.2);
    }

    static Stream<Arguments> waysToDoWithoutFlightRecorder() {
        List<String> switchedOff = List.of("-XX:-FlightRecorder");
        List<String> nowhereToWrite = List.of("-Djava.io.tmpdir=FOLDER/no-folder");
        List<String> leftOut =
                List.of(
                        "--limit-modules",
                        "java.instrument,jdk.management,jdk.httpserver,jdk.unsupported");
        return Stream.of(
                Arguments.of(Jdks.jdk21(), switchedOff),
                Arguments.of(Jdks.jdk21(), leftOut),
                Arguments.of(Jdks.jdk25(), nowhereToWrite));
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theJvmEndsByItselfThoughEventsAreStreamed(Jdk jdk) {
        try (ForkedJvm jvm =
                launch(jdk, ",vm-events=on")
                        .main(AwaitedInitializer.class, 1, 1)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            assertThat(jvm.end()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void eventsThatCannotStartSinceTheJvmEndsAreNoError(Jdk jdk) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .agent("port=0,report=off,vm-events=on")
                        .main(VirtualAtTheEnd.class)) {
            assertThat(jvm.end()).isZero();
            // the JVM may end before the first line is printed
            assertThat(jvm.stderr()).allMatch(line -> line.contains(" on JDK "));
        }
    }

    /** No carrier is left to steal a thread, or to run one of the JVM's. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theyBeginAlsoWhereAllCarriersAreHeldFromTheFirstMomentOn(Jdk jdk) {
        int carriers = 8;
        try (ForkedJvm jvm =
                launch(jdk, ",vm-events=on")
                        .main(StuckCarriers.class, "wait", carriers)
                        .awaitLine("stuck")
                        .awaitSensor("vm")) {
            assertThat(jvm.stdout()).doesNotContain("free");
            assertThat(jvm.metrics().sum("vthread_carriers_held")).isEqualTo(carriers);
            jvm.proceed().awaitLine("free");
        }
    }

    private ForkedJvm contended(Jdk jdk, String shape) {
        return launch(jdk, ",vm-events=on")
                .main(ContendedMonitor.class, shape, THREADS, MILLIS)
                .awaitSensor("vm")
                .proceed()
                .awaitDone();
    }

    private ForkedJvm.Launch launch(Jdk jdk, String options) {
        return ForkedJvm.on(jdk)
                .carriers(8)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                .agent("port=0,report=" + file() + options);
    }

    private Path file() {
        return folder.resolve("report.json");
    }
}
