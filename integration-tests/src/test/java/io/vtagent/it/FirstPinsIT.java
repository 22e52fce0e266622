package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.FirstPins;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service does in its first second is what people look at, and when everything is slow. */
final class FirstPinsIT {
    private static final int THREADS = 300;
    private static final int MILLIS = 3;

    @TempDir
    Path folder = Path.of("");

    @Test
    void fromTheFirstPinOnTheTimeHasASite() {
        Path file = folder.resolve("report.json");
        FinalReport report;
        try (ForkedJvm jvm = ForkedJvm.on(Jdks.jdk21())
                .carriers(4)
                .agent("port=0,report=" + file)
                .main(FirstPins.class, THREADS, MILLIS)
                .awaitDone()) {
            report = FinalReport.of(jvm, file);
        }

        double attributed = report.sites("park").stream()
                        .filter(site -> site.get("site").string().startsWith(FirstPins.class.getName() + ".descend:"))
                        .mapToDouble(site -> site.get("heldNanos").number())
                        .sum()
                / 1e9;
        assertThat(report.pins("park", "monitor")).isGreaterThanOrEqualTo(THREADS);
        assertThat(attributed / report.heldSeconds("park")).isGreaterThan(0.99);
    }
}
