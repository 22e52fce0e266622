package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ReflectiveCalls;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reflection, method handles and proxies are neither what blocks nor what calls it. */
final class ReflectiveCallsIT {
    private static final int MILLIS = 600;
    private static final String POLL = "sun.nio.ch.Net.poll";

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whatTheyCallIsTheOperation(Jdk jdk, @TempDir Path folder) {
        Path file = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .vm("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
                        .agent("port=0,vm-events=off,report=" + file)
                        .main(ReflectiveCalls.class, MILLIS)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            List<Json> sites =
                    FinalReport.of(jvm, file).sites("native").stream()
                            .filter(site -> site.get("heldNanos").number() > MILLIS / 2 * 1e6)
                            .toList();
            assertThat(sites)
                    .as("%s", jvm)
                    .hasSizeGreaterThanOrEqualTo(3)
                    .allSatisfy(
                            site -> {
                                assertThat(site.get("operation").string()).isEqualTo(POLL);
                                assertThat(site.get("site").string()).startsWith(POLL + ":");
                                assertThat(site.get("caller").string())
                                        .startsWith(ReflectiveCalls.class.getName());
                            });
        }
    }
}
