package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.FirstPins;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a service does in its first second is what people look at, and when everything is slow. */
final class FirstPinsIT {
    private static final int THREADS = 300;
    private static final int MILLIS = 3;

    @TempDir
    Path folder = Path.of("");

    static Stream<Arguments> ways() {
        return Stream.concat(
                Jdks.whereMonitorsPin().stream().map(jdk -> Arguments.of(jdk, "monitor")),
                Jdks.all().stream().map(jdk -> Arguments.of(jdk, "native")));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void fromTheFirstPinOnTheTimeHasASite(Jdk jdk, String way) {
        Path file = folder.resolve("report.json");
        FinalReport report;
        try (ForkedJvm jvm = ForkedJvm.on(jdk)
                .carriers(4)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                .agent("port=0,report=" + file)
                .main(FirstPins.class, THREADS, MILLIS, way)
                .awaitDone()) {
            report = FinalReport.of(jvm, file);
        }

        double attributed = report.sites("park").stream()
                        .filter(site -> site.get("caller").string().startsWith(FirstPins.class.getName() + "."))
                        .mapToDouble(site -> site.get("heldNanos").number())
                        .sum()
                / 1e9;
        assertThat(report.pins("park", way)).isGreaterThanOrEqualTo(THREADS);
        assertThat(attributed / report.heldSeconds("park")).isGreaterThan(0.99);
    }
}
