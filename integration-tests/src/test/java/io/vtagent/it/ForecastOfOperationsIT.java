package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.reference.JdkCase;
import io.vtagent.it.reference.JdkCases;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The forecast of JDK 21 for each operation that it brackets, compared with what JDK 25 measures of
 * the same operation.
 */
@Tag("long")
final class ForecastOfOperationsIT {
    private static final List<JdkCase> BRACKETED =
            List.of(
                    JdkCase.SELECTOR,
                    JdkCase.FILE,
                    JdkCase.OPENING,
                    JdkCase.CHANNEL,
                    JdkCase.SYNCHRONOUS_WRITE,
                    JdkCase.FILE_LOCK,
                    JdkCase.PROCESS);
    private static final int MILLIS = 300;

    @TempDir Path folder = Path.of("");

    @Test
    void whatUnmountsLaterGoesAndAllElseStays() {
        JdkCell.Column later = JdkCell.measure(Jdks.jdk25(), BRACKETED);
        for (JdkCase each : BRACKETED) {
            boolean holds = later.cells().get(BRACKETED.indexOf(each)).pins();
            assertThat(forecast(each)).as(each.toString()).isEqualTo(holds ? "stays" : "goes");
        }
    }

    /** Returns the forecast of the operation's site that held carriers longest. */
    private String forecast(JdkCase operation) {
        Path file = folder.resolve(operation + ".json");
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(8)
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=off,vm-events=off,report=" + file)
                        .main(JdkCases.class, MILLIS, operation)
                        .awaitLine("warm")
                        .proceed()
                        .awaitLine(operation + " done")) {
            return FinalReport.of(jvm, file).sites("io").stream()
                    .filter(
                            site ->
                                    site.get("site")
                                            .string()
                                            .startsWith(JdkCases.class.getPackageName()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(jvm))
                    .get("withoutMonitorPins")
                    .string();
        }
    }
}
