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
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The behaviour that all JDKs share: a class loader that blocks holds the carrier of the thread for
 * which the JVM has called it.
 */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class SlowLoadersIT {
    private static final int MILLIS = 300;
    private static final double SECONDS_OF_LOADER = 0.05;

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    /**
     * The agent's report on a case.
     *
     * @param times how often its threads were blocked
     */
    private record Run(FinalReport report, long times) {

        /**
         * The site of {@code kind} at which carriers were held longest, by the code that needs the
         * class.
         */
        Json site(String kind) {
            return report.sites(kind).stream()
                    .filter(site -> site.get("caller").string().contains("SlowLoader"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(report));
        }
    }

    @Test
    void aClassLoaderThatBlocksIsWhatHolds() {
        Run run = run(JdkCase.LOADER);
        Json site = run.site("park");

        // a sleeper that has waited for a CPU parks for what is left
        assertThat(run.report.heldSeconds("park") / run.times / SECONDS_OF_LOADER)
                .isGreaterThan(0.95);
        assertThat(site.get("site").string()).startsWith("java.lang.ClassLoader.loadClass:");
        assertThat(site.get("caller").string()).contains("SlowLoader$Toucher.run:");
        assertThat(site.get("advice").string())
                .startsWith("A class loader blocks in java.lang.Thread.sleep.");
        assertThat(site.get("cause").string())
                .isEqualTo(jdk.monitorsPin() ? "monitor" : "class_loader");
        assertThat(run.report.pins("park", reason())).isGreaterThanOrEqualTo(run.times);
    }

    @Test
    void aThreadThatNeedsAClassThatAnotherThreadLoadsIsHeldByThat() {
        Run run = run(JdkCase.SAME_CLASS);
        Json site = run.site("enter");

        assertThat(site.get("caller").string()).contains("SlowLoader$Toucher.run:");
        assertThat(site.get("advice").string())
                .startsWith("Another thread is loading the same class.");
        assertThat(site.get("nativeFrame").string()).startsWith("java.lang.ClassLoader.loadClass:");
        assertThat((double) run.report.pins("enter", reason()))
                .isGreaterThanOrEqualTo(site.get("count").number());
    }

    @Test
    void whereMonitorsDoNotPinALoaderThatTheApplicationCallsDoesNot() {
        Run run = run(JdkCase.LOADER_BY_CALL);

        boolean held =
                run.report.sites("park").stream()
                        .anyMatch(site -> site.get("caller").string().contains("SlowLoader"));
        assertThat(held).isEqualTo(jdk.monitorsPin());
    }

    @Test
    void noNewerJdkIsPromisedToUnmountThem() {
        for (JdkCase each : List.of(JdkCase.LOADER, JdkCase.LOADER_BY_NAME, JdkCase.SAME_CLASS)) {
            Run run = run(each);
            Json forecast = run.report.json().get("withoutMonitorPins");
            if (!jdk.monitorsPin()) {
                assertThat(forecast.value()).isNull();
                return;
            }
            double loaders =
                    run.site(each == JdkCase.SAME_CLASS ? "enter" : "park")
                            .get("heldNanos")
                            .number();
            assertThat(forecast.get("staysNanos").number())
                    .as(each.toString())
                    .isGreaterThanOrEqualTo(loaders);
            assertThat(forecast.get("stays").list())
                    .anySatisfy(
                            site ->
                                    assertThat(site.get("site").string())
                                            .startsWith("java.lang.ClassLoader.loadClass:"));
        }
    }

    /**
     * The JVM locks a loader that is not parallel capable: at the line that needs the class there
     * is no monitor to replace.
     */
    @ParameterizedTest
    @ValueSource(strings = {"off", "on"})
    void aThreadThatWaitsForALockedLoaderHasNoMonitorToReplace(String vmEvents) {
        Run run = run(JdkCase.LOCKED_LOADER, vmEvents);
        Json site = run.site("enter");

        assertThat(site.get("site").string()).contains("SlowLoader$Toucher.run:");
        assertThat(site.get("advice").string())
                .contains(
                        "most likely waits until another thread has loaded, linked or initialized a"
                                + " class")
                .contains("load the class at start-up");
        assertThat(site.get("withoutMonitorPins").value())
                .isEqualTo(jdk.monitorsPin() ? "stays" : null);
    }

    private String reason() {
        return jdk.monitorsPin() ? "monitor" : "critical_section";
    }

    private Run run(JdkCase which) {
        return run(which, "on");
    }

    private Run run(JdkCase which, String vmEvents) {
        Path file = folder.resolve(which + ".json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .vm("--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=0,vm-events=" + vmEvents + ",report=" + file)
                        .main(JdkCases.class, MILLIS, which)
                        .awaitLine("warm")) {
            if (vmEvents.equals("on")) {
                jvm.awaitSensor("vm");
            }
            jvm.proceed().awaitLine(which + " done");
            double times = jvm.number(which + ".warmUps") + jvm.number(which + ".times");
            return new Run(FinalReport.of(jvm, file), (long) times);
        }
    }
}
