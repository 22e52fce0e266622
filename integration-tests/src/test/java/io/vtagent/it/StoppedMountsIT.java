package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Switching;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pauses in which the JVM stops the mounts and unmounts of virtual threads for its own purposes.
 */
final class StoppedMountsIT {
    private static final int CARRIERS = 8;
    private static final int MILLIS = 2_000;

    @TempDir Path folder = Path.of("");

    /** For each class that is loaded beside an agent, on JDK 21; 25 no longer does. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void aThreadThatIsStoppedThereIsHeldByTheJvmAndWaitsForNoClass(Jdk jdk) {
        FinalReport report = report(jdk, "loads");

        double held = report.heldSeconds("jvm");
        assertThat(held).isGreaterThan(0.1);
        assertThat(report.heldSeconds("class_init")).isLessThan(held / 10);
        assertThat(report.sites("jvm").getFirst().get("site").string())
                .startsWith("java.lang.VirtualThread.");
        // of some the stack cannot be read, since they go on meanwhile
        assertThat(report.sites("native"))
                .allSatisfy(
                        site -> assertThat(site.get("site").string()).isEqualTo("(unattributed)"));
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void aThreadThatIsStoppedForThreadDumpsIsOnlyHeldByTheJvm(Jdk jdk) {
        FinalReport report = report(jdk, "dumps");

        double shareOfAll = report.json().get("lostShare").number();
        double shareOfJvm =
                shareOfAll * report.heldSeconds("jvm") / Math.max(report.heldSeconds(), 1e-9);
        assertThat(shareOfAll - shareOfJvm).isLessThan(0.02);
        assertThat(shareOfAll).isLessThan(0.1);
    }

    private FinalReport report(Jdk jdk, String beside) {
        Path file = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .agent("port=0,report=" + file)
                        .main(Switching.class, 2 * CARRIERS, MILLIS, beside)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            return FinalReport.of(jvm, file);
        }
    }
}
