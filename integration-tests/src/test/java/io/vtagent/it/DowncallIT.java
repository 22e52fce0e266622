package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.workload.NativeSleeps;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Native code called by {@code java.lang.foreign}, which leaves no native frame on the stack. */
final class DowncallIT {
    private static final int THREADS = 8;

    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsDoNotPin")
    void aCallThatBlocksIsFoundThoughItLooksLikeWaitingForAClass(Jdk jdk) {
        Path file = folder.resolve("report.json");
        FinalReport report;
        double slept;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(THREADS)
                        .vm("--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=0,vm-events=on,report=" + file)
                        .main(NativeSleeps.class, "foreign", THREADS, 4, 500)
                        .awaitSensor("sampler")
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            slept = jvm.number("seconds");
            report = FinalReport.of(jvm, file);
        }

        assertThat(report.heldSeconds("native") / slept).isBetween(0.8, 1.2);
        // on a busy machine threads may wait for the class that binds the function, at the
        // beginning
        assertThat(report.heldSeconds("class_init")).isLessThan(0.05 * slept);
        assertThat(report.sites("native").get(0).get("site").string())
                .startsWith(NativeSleeps.class.getName() + ".");
    }
}
