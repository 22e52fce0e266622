package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.jna.Native;
import io.vtagent.it.workload.MixedHolds;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The forecast of JDK 21 about an upgrade, compared with what JDK 25 measures of the same program.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ForecastIT {
    private static final int ROUNDS = 10;
    private static final int MILLIS = 200;

    private Run before = new Run(new FinalReport(new Json(null)), 0, 0);
    private Run after = before;

    /**
     * The report of the agent, and the times of the threads themselves.
     *
     * @param goes for how long the threads ran that only monitors hold, in seconds
     * @param stays the others
     */
    private record Run(FinalReport report, double goes, double stays) {}

    @BeforeAll
    void run(@TempDir Path folder) {
        before = run(Jdks.jdk21(), folder);
        after = run(Jdks.jdk25(), folder);
    }

    @Test
    void whatWouldStayIsWhatTheNewerJdkMeasures() {
        double stays = forecast().get("staysNanos").number() / 1e9;

        // one of them is sampled
        assertThat(stays / before.stays).isBetween(0.9, 1.05);
        assertThat(after.report.heldSeconds() / after.stays).isBetween(0.9, 1.05);
    }

    @Test
    void whatWouldGoIsWhatMonitorsAloneHold() {
        assertThat(forecast().get("goesNanos").number() / 1e9 / before.goes).isBetween(0.9, 1.0);
        assertThat(forecast().get("unknownNanos").number() / 1e9 / before.goes).isLessThan(0.05);
        double all =
                forecast().get("goesNanos").number()
                        + forecast().get("staysNanos").number()
                        + forecast().get("unknownNanos").number();
        assertThat(all / 1e9).isCloseTo(before.report.heldSeconds(), within(1e-6));
    }

    @Test
    void theSitesThatWouldStayAreReportedWithWhatWouldHoldThem() {
        List<Json> stays = forecast().get("stays").list();

        assertThat(stays)
                .anySatisfy(
                        site -> assertThat(site.get("site").string()).contains("Sleeping.<clinit>"))
                .anySatisfy(
                        site ->
                                assertThat(site.get("site").string())
                                        .contains("NativeAccessor.invoke0"))
                .anySatisfy(site -> assertThat(site.get("site").string()).contains("LibC.usleep"))
                .anySatisfy(
                        site -> {
                            assertThat(site.get("site").string())
                                    .contains("MixedHolds.sleepInMonitorAndBelowNativeFrame:");
                            assertThat(site.get("nativeFrame").string())
                                    .contains("NativeAccessor.invoke0");
                        });
    }

    @Test
    void aPinWithTwoReasonsHasBoth() {
        assertThat(nativeFrame("sleepInMonitorAndBelowNativeFrame").string())
                .contains("NativeAccessor.invoke0");
        assertThat(nativeFrame("sleepInMonitor").value()).isNull();
    }

    /** Returns what is on the stack besides the monitor. */
    private Json nativeFrame(String method) {
        return before.report.sites("park").stream()
                .filter(
                        site ->
                                site.get("site")
                                        .string()
                                        .startsWith(
                                                MixedHolds.class.getName() + "." + method + ":"))
                .findFirst()
                .orElseThrow()
                .get("nativeFrame");
    }

    @Test
    void whereMonitorsDoNotPinThereIsNoForecast() {
        assertThat(after.report.json().get("withoutMonitorPins").value()).isNull();
        assertThat(after.report.pins("park", "monitor")).isZero();
    }

    private Json forecast() {
        return before.report.json().get("withoutMonitorPins");
    }

    private static Run run(Jdk jdk, Path folder) {
        Path file = folder.resolve(jdk.feature() + ".json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm(
                                "-Djdk.reflect.useNativeAccessorOnly=true",
                                "--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=0,vm-events=on,report=" + file)
                        .main(MixedHolds.class, ROUNDS, MILLIS)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            double goes = jvm.number("goes");
            double stays = jvm.number("stays");
            return new Run(FinalReport.of(jvm, file), goes, stays);
        }
    }
}
