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

/** What JDK 21 says that an upgrade would change, held against what JDK 25 measures of the same program. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ForecastIT {
    private static final int ROUNDS = 10;
    private static final int MILLIS = 60;
    private static final double SECONDS = ROUNDS * MILLIS / 1e3;

    private FinalReport before = new FinalReport(new Json(null));
    private FinalReport after = before;

    @BeforeAll
    void run(@TempDir Path folder) {
        before = run(Jdks.jdk21(), folder);
        after = run(Jdks.jdk25(), folder);
    }

    @Test
    void whatWouldStayIsWhatTheNewerJdkMeasures() {
        double stays = forecast().get("staysNanos").number() / 1e9;

        assertThat(stays).isCloseTo(4 * SECONDS, within(0.2 * SECONDS));
        assertThat(after.heldSeconds() / stays).isBetween(0.95, 1.05);
    }

    @Test
    void whatWouldGoIsWhatMonitorsAloneHold() {
        assertThat(forecast().get("goesNanos").number() / 1e9).isCloseTo(3 * SECONDS, within(0.2 * SECONDS));
        assertThat(forecast().get("unknownNanos").number() / 1e9).isLessThan(0.02 * SECONDS);
        double all = forecast().get("goesNanos").number()
                + forecast().get("staysNanos").number()
                + forecast().get("unknownNanos").number();
        assertThat(all / 1e9).isCloseTo(before.heldSeconds(), within(1e-6));
    }

    @Test
    void theSitesThatWouldStayAreToldWithWhatWouldHoldThem() {
        List<Json> stays = forecast().get("stays").list();

        assertThat(stays)
                .anySatisfy(site -> assertThat(site.get("site").string()).contains("Sleeping.<clinit>"))
                .anySatisfy(site -> assertThat(site.get("site").string()).contains("NativeAccessor.invoke0"))
                .anySatisfy(site -> assertThat(site.get("site").string()).contains("LibC.usleep"))
                .anySatisfy(site -> {
                    assertThat(site.get("site").string()).contains("MixedHolds.sleepInMonitorAndBelowNativeFrame:");
                    assertThat(site.get("nativeFrame").string()).contains("NativeAccessor.invoke0");
                });
    }

    @Test
    void aPinWithTwoReasonsSaysSo() {
        assertThat(nativeFrame("sleepInMonitorAndBelowNativeFrame").string()).contains("NativeAccessor.invoke0");
        assertThat(nativeFrame("sleepInMonitor").value()).isNull();
    }

    /** What is on the stack besides the monitor. */
    private Json nativeFrame(String method) {
        return before.sites("park").stream()
                .filter(site -> site.get("site").string().startsWith(MixedHolds.class.getName() + "." + method + ":"))
                .findFirst()
                .orElseThrow()
                .get("nativeFrame");
    }

    @Test
    void whereMonitorsDoNotPinThereIsNoForecast() {
        assertThat(after.json().get("withoutMonitorPins").value()).isNull();
        assertThat(after.pins("park", "monitor")).isZero();
    }

    private Json forecast() {
        return before.json().get("withoutMonitorPins");
    }

    private static FinalReport run(Jdk jdk, Path folder) {
        Path file = folder.resolve(jdk.feature() + ".json");
        try (ForkedJvm jvm = ForkedJvm.on(jdk)
                .carriers(8)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true", "--enable-native-access=ALL-UNNAMED")
                .classPath(ForkedJvm.locationOf(Native.class))
                .agent("port=0,report=" + file)
                .main(MixedHolds.class, ROUNDS, MILLIS)
                .awaitSensor("vm")
                .proceed()
                .awaitDone()) {
            return FinalReport.of(jvm, file);
        }
    }
}
