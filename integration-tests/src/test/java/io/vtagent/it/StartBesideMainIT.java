package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ChangesProperties;
import io.vtagent.it.workload.FirstAgent;
import io.vtagent.it.workload.FirstPins;
import io.vtagent.it.workload.NobodyListens;
import io.vtagent.it.workload.OwnFactory;
import io.vtagent.it.workload.Secured;
import io.vtagent.it.workload.WithoutVirtualThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The application begins before the agent has, and waits for it when it makes its first carrier.
 */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class StartBesideMainIT {
    private static final String NOTHING = "[vt-agent] no virtual thread held its carrier";

    /** On a busy machine the agent may have begun before {@code main} has a CPU. */
    private static final int ATTEMPTS = 10;

    /** By then the agent has begun, where the machine is not busy. */
    private static final int LATEST_MILLIS = 80;

    private static final int STEP_MILLIS = 4;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void whatTheFirstVirtualThreadsDoIsCounted() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent()
                        .main(FirstPins.class, 4, 3, 0, "native")
                        .awaitDone()
                        .awaitBegun()) {
            assertThat(jvm.stderr())
                    .hasSize(1)
                    .allMatch(
                            line -> line.contains(": ") && line.contains("; sensors park, wait, "));
            jvm.awaitMetrics(
                    metrics -> metrics.sum("vthread_pinned_seconds_count", "kind", "park") == 4);
        }
    }

    @Test
    void whereNobodyMayListenTheRestWorks() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0")
                        .main(OwnFactory.class)
                        .awaitDone()) {
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr())
                    .anyMatch(
                            line ->
                                    line.startsWith("[vt-agent] cannot listen on 127.0.0.1:0 (")
                                            && line.contains("nobody is to listen"))
                    .anyMatch(
                            line ->
                                    line.startsWith("[vt-agent] carriers were held for ")
                                            && line.contains(" by 2 pins "));
        }
    }

    @Test
    void aSecurityManagerThatTheApplicationInstallsAtOnceIsTooLateToRefuseAnything() {
        if (!jdk.monitorsPin()) {
            assertThat(jdk.feature()).as("there are none").isGreaterThan(23);
            return;
        }
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Djava.security.manager=allow")
                        .agent("port=0")
                        .main(Secured.class)) {
            assertThat(jvm.end()).as(jvm::toString).isZero();
            assertThat(jvm.stderr())
                    .anyMatch(
                            line ->
                                    line.startsWith("[vt-agent] carriers were held for ")
                                            && line.contains(" by 2 pins "));
        }
    }

    /** Virtual threads have no permissions there, those of the agent neither. */
    @Test
    void beneathASecurityManagerThatPermitsEverythingAllSensorsWorkAndNothingElseIsPrinted(
            @TempDir Path folder) throws IOException {
        if (!jdk.monitorsPin()) {
            assertThat(jdk.feature()).as("there are none").isGreaterThan(23);
            return;
        }
        Path policy =
                Files.writeString(
                        folder.resolve("all.policy"),
                        "grant { permission java.security.AllPermission; };");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Djava.security.manager", "-Djava.security.policy==" + policy)
                        .agent("port=0,report=off")
                        .main(FirstPins.class, 1, 3, 0, "monitor")
                        .awaitDone()) {
            List.of("park", "wait", "enter", "io").forEach(jvm::awaitSensor);
            assertThat(jvm.end()).as(jvm::toString).isZero();
            assertThat(jvm.stderr())
                    .filteredOn(line -> !line.startsWith("WARNING: "))
                    .singleElement()
                    .asString()
                    .contains("; sensors park");
        }
    }

    /** No thread makes another carrier, so no thread would wait. */
    @Test
    void whereThereIsACarrierAlreadyAllOfItComesBeforeMain(@TempDir Path folder)
            throws IOException {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(1)
                        .vm("-javaagent:" + agentIn(folder))
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent()
                        .main(FirstPins.class, 4, 3, 0, "native")
                        .awaitDone()) {
            jvm.awaitMetrics(
                    metrics -> metrics.sum("vthread_pinned_seconds_count", "kind", "park") == 4);
        }
    }

    private static Path agentIn(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", FirstAgent.class.getName());
        Path jar = folder.resolve("first.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    @Test
    void theJvmEndsThoughTheAgentIsHeldUpInItsBeginning() {
        for (String report : List.of("off", "stderr")) {
            try (ForkedJvm jvm =
                    ForkedJvm.on(jdk).agent("port=0,report=" + report).main(NobodyListens.class)) {
                assertThat(jvm.end()).isEqualTo(5);
                assertThat(jvm.stderr()).hasSize(report.equals("off") ? 0 : 1);
            }
        }
    }

    @Test
    void propertiesThatTheApplicationChangesAtOnceAreNotBelieved() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Djdk.virtualThreadScheduler.maxPoolSize=77")
                        .agent()
                        .main(ChangesProperties.class)
                        .awaitDone()) {
            assertThat(jvm.metrics().value("vthread_carriers_max")).isEqualTo(77);
            assertThat(jvm.stderr())
                    .singleElement()
                    .asString()
                    .contains(" on JDK " + jdk.feature() + ".");
        }
    }

    @Test
    void anApplicationWithoutVirtualThreadsDoesNotWait() {
        List<String> reported =
                Stream.generate(() -> withoutVirtualThreads(0))
                        .limit(ATTEMPTS)
                        .filter(lines -> lines.size() == 1)
                        .findFirst()
                        .orElse(List.of());
        assertThat(reported).hasSize(1).allMatch(line -> line.startsWith(NOTHING));
    }

    @Test
    void whenEverTheJvmIsOverThereIsOneReport() {
        for (int millis = 0; millis < LATEST_MILLIS; millis += STEP_MILLIS) {
            withoutVirtualThreads(millis);
        }
    }

    /**
     * Returns what it has printed to stderr: the report, and above it the first line if the agent
     * had begun by then.
     */
    private List<String> withoutVirtualThreads(int millis) {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk).agent("port=0").main(WithoutVirtualThreads.class, millis)) {
            boolean beginning = Boolean.parseBoolean(jvm.fact("beginning"));
            assertThat(jvm.end()).isZero();
            List<String> lines = jvm.stderr();
            assertThat(lines).as("after %d ms", millis).hasSizeBetween(1, 2);
            assertThat(lines.getLast()).startsWith(NOTHING).contains("(JDK " + jdk.feature() + ".");
            assertThat(lines.size()).isGreaterThanOrEqualTo(beginning ? 1 : 2);
            return lines;
        }
    }

    @Test
    void whatGoesToAFileIsNotLostBecauseTheJvmIsOverAtOnce(@TempDir Path folder) {
        Path file = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .agent("port=0,report=" + file)
                        .main(WithoutVirtualThreads.class, 0)) {
            assertThat(jvm.fact("beginning")).isEqualTo("false");
            assertThat(FinalReport.of(jvm, file).heldSeconds()).isZero();
        }
    }
}
