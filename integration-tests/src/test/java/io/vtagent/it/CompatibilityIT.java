package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.JavaOnlyLoader;
import io.vtagent.it.workload.Pinned;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compatibility with another agent, and with a class loader of the application's own. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class CompatibilityIT {
    private static final int TASKS = 20;

    /** A carrier that gets no CPU for this long in a sleep does not park any more. */
    private static final int MILLIS = 50;

    @Parameter Jdk jdk = Jdks.jdk21();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jacocoCoversTheSameAndEveryPinIsCountedWhicheverAgentComesFirst(
            boolean first, @TempDir Path folder) throws IOException {
        Path alone = folder.resolve("alone.exec");
        try (ForkedJvm jvm = on().vm(jacoco(alone)).main(Pinned.class, TASKS, MILLIS)) {
            jvm.awaitLine("warm").proceed().awaitDone();
            assertThat(jvm.end()).isEqualTo(7);
            assertThat(jvm.stderr()).isEmpty();
        }
        Path both = folder.resolve("both.exec");
        ForkedJvm.Launch launch =
                first ? on().agent().vm(jacoco(both)) : on().vm(jacoco(both)).agent();
        try (ForkedJvm jvm = launch.main(Pinned.class, TASKS, MILLIS)) {
            everyPinIsCounted(jvm);
        }
        assertThat(coverage(both))
                .isEqualTo(coverage(alone))
                .containsKey(Pinned.class.getName().replace('.', '/'));
    }

    @Test
    void aLoaderThatDelegatesNothingButJavaGetsItsClassesWrappedAndTheirPinsCounted() {
        try (ForkedJvm jvm =
                on().agent().main(JavaOnlyLoader.class, Pinned.class.getName(), TASKS, MILLIS)) {
            assertThat(jvm.fact("wrapped")).isEqualTo(Boolean.toString(jdk.monitorsPin()));
            everyPinIsCounted(jvm);
        }
    }

    private void everyPinIsCounted(ForkedJvm jvm) {
        Metrics before = jvm.awaitLine("warm").metrics();
        jvm.proceed();
        Metrics metrics = jvm.awaitDone().metrics().since(before);

        int inMonitors = jdk.monitorsPin() ? TASKS : 0;
        // the JVM's own timer wakes one early once in a while: to sleep on, it parks again
        assertThat(metrics.pins("kind", "park")).isBetween(inMonitors + 1L, inMonitors + 3L);
        assertThat(metrics.pins("kind", "wait")).isEqualTo(inMonitors);
        // on a busy machine not every stack of a JVM's first seconds is walked
        assertThat(metrics.sites("park").keySet())
                .allMatch(
                        site ->
                                site.equals("(unattributed)")
                                        || site.startsWith(
                                                Pinned.class.getName() + "$Initializer.<clinit>:")
                                        || site.startsWith(Pinned.class.getName() + ".sleepIn:"));
        assertThat(
                        metrics.sites("park").keySet().stream()
                                .anyMatch(
                                        site ->
                                                site.startsWith(
                                                        Pinned.class.getName() + ".sleepIn:")))
                .isEqualTo(jdk.monitorsPin());
        assertThat(metrics.value("vthread_agent_classes_total", "outcome", "failed")).isZero();
        assertThat(jvm.end()).isEqualTo(7);
        assertThat(jvm.stderr()).hasSize(1).first().asString().startsWith("[vt-agent] ");
    }

    private static String jacoco(Path destination) {
        Path jar = Path.of(System.getProperty("it.agents", "target/agents"), "jacoco.jar");
        return "-javaagent:"
                + jar.toAbsolutePath()
                + "=includes=io.vtagent.it.workload.*,destfile="
                + destination;
    }

    /**
     * By class, its id, which is a checksum of the class file that JaCoCo saw, and what ran of it.
     */
    private static Map<String, String> coverage(Path file) throws IOException {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(file.toFile());
        return loader.getExecutionDataStore().getContents().stream()
                .collect(
                        Collectors.toMap(
                                data -> data.getName(),
                                data ->
                                        Long.toHexString(data.getId())
                                                + Arrays.toString(data.getProbes()),
                                (one, other) -> one + other,
                                TreeMap::new));
    }

    private ForkedJvm.Launch on() {
        return ForkedJvm.on(jdk).carriers(8).vm("-Xverify:all");
    }
}
