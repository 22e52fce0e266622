package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.workload.AwaitedInitializer;
import io.vtagent.it.workload.ContendedMonitor;
import io.vtagent.it.workload.NativeFrames;
import io.vtagent.it.workload.NativeSleeps;
import io.vtagent.it.workload.OwnMonitors;
import io.vtagent.it.workload.Tasks;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callers with the option {@code app}: a caller is a line of the user's own packages, in whatever
 * way the stack was read. Here they are the class {@link Tasks}, which runs what every workload
 * does, as if that were a library.
 */
final class CallerIT {
    private static final String APP = ",app=com.acme;" + Tasks.class.getName();
    private static final String LINE = Tasks.class.getName() + ".lambda$start$";

    @TempDir Path folder = Path.of("");

    /** Read by the thread itself, with its monitors. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#whereMonitorsPin")
    void ofASleepInAMonitor(Jdk jdk) {
        FinalReport report;
        try (ForkedJvm jvm =
                launch(jdk, APP)
                        .main(OwnMonitors.class, 8, 20)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            report = FinalReport.of(jvm, file());
        }
        isLineOfApp(report, "park", OwnMonitors.class.getName() + ".sleepIn:");
    }

    /** Read by the thread itself, as far as its native frames. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void ofASleepAboveANativeFrame(Jdk jdk) {
        FinalReport report;
        try (ForkedJvm jvm =
                launch(jdk, APP)
                        .main(NativeFrames.class, "park", 50)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            report = FinalReport.of(jvm, file());
        }
        isLineOfApp(
                report,
                "park",
                "jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor.invoke0:");
    }

    /** The stack is read by the sampler. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void ofNativeCodeThatOnlySamplesFind(Jdk jdk) {
        FinalReport report;
        try (ForkedJvm jvm =
                launch(jdk, APP)
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .main(NativeSleeps.class, "jna", 4, 2, 500)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            report = FinalReport.of(jvm, file());
        }
        isLineOfApp(report, "native", "io.vtagent.it.workload.LibC.usleep:");
    }

    /** The pin is reported by an event. */
    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void ofAWaitForAnInitializer(Jdk jdk) {
        boolean byName = jdk.unmountsWaitersForInitializers();
        FinalReport report;
        try (ForkedJvm jvm =
                launch(jdk, APP + ",vm-events=on")
                        .main(AwaitedInitializer.class, 4, 300, byName ? "name" : "call")
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            report = FinalReport.of(jvm, file());
        }
        isLineOfApp(
                report,
                "class_init",
                byName
                        ? "java.lang.Class.forName0:"
                        : AwaitedInitializer.class.getName() + ".await:");
    }

    /** The pin is reported by an event, and the monitor is held in the JDK. */
    @Test
    void ofAnEntryOfAMonitorOfTheJdks() {
        isLineOfApp(contended(Jdks.jdk21(), APP), "enter", "java.util.Hashtable.get:");
    }

    @Test
    void withoutSuchALineItIsTheNearestThatIsNotTheJdks() {
        FinalReport report = contended(Jdks.jdk21(), ",app=com.acme");
        assertThat(siteOf(report, "enter", "java.util.Hashtable.get:").get("caller").string())
                .startsWith(ContendedMonitor.class.getName() + ".await:");
    }

    private FinalReport contended(Jdk jdk, String options) {
        try (ForkedJvm jvm =
                launch(jdk, options + ",vm-events=on")
                        .main(ContendedMonitor.class, "hashtable", 4, 300)
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            return FinalReport.of(jvm, file());
        }
    }

    private static void isLineOfApp(FinalReport report, String kind, String site) {
        assertThat(siteOf(report, kind, site).get("caller").string()).startsWith(LINE);
    }

    private static Json siteOf(FinalReport report, String kind, String site) {
        List<Json> sites = report.sites(kind);
        return sites.stream()
                .filter(each -> each.get("site").string().startsWith(site))
                .findFirst()
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        kind
                                                + " at "
                                                + site
                                                + " is not in "
                                                + report.json().value()));
    }

    private ForkedJvm.Launch launch(Jdk jdk, String options) {
        return ForkedJvm.on(jdk)
                .carriers(8)
                .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                .agent("port=0,report=" + file() + options);
    }

    private Path file() {
        return folder.resolve("report.json");
    }
}
