package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.workload.MovedWait;
import io.vtagent.it.workload.OwnMonitors;
import io.vtagent.it.workload.SharedMonitor;
import io.vtagent.it.workload.TimedWaits;
import io.vtagent.it.workload.WaitingPool;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * JDKs on which monitors do not pin: what holds carriers elsewhere is not reported, and no class is
 * touched.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#whereMonitorsDoNotPin")
final class MonitorsDoNotPinIT {
    private static final int CARRIERS = 8;
    private static final Set<Class<?>> WARMING_UP = Set.of(OwnMonitors.class, SharedMonitor.class);

    @Parameter Jdk jdk = Jdks.jdk25();

    static Stream<Arguments> workloadsOfMonitors() {
        return Stream.of(
                Arguments.of(OwnMonitors.class, new Object[] {1_000, 10}),
                Arguments.of(SharedMonitor.class, new Object[] {"block", 60, 5}),
                Arguments.of(SharedMonitor.class, new Object[] {"method", 60, 5}),
                Arguments.of(SharedMonitor.class, new Object[] {"static", 60, 5}),
                Arguments.of(WaitingPool.class, new Object[] {60, 20, 60}),
                Arguments.of(TimedWaits.class, new Object[] {60, 20}));
    }

    @ParameterizedTest
    @MethodSource("workloadsOfMonitors")
    void aMonitorIsNoPin(Class<?> workload, Object[] arguments) {
        try (ForkedJvm jvm = on(jdk).main(workload, arguments)) {
            if (WARMING_UP.contains(workload)) {
                jvm.awaitLine("warm").proceed();
            }
            Metrics metrics = jvm.awaitDone().metrics();

            // two threads that load the same class do pin, for the loader's lock, so for another
            // reason
            assertThat(metrics.pins("reason", "monitor")).isZero();
            assertThat(metrics.pins("kind", "wait")).isZero();
            assertThat(metrics.value("vthread_agent_sensor_up", "sensor", "park")).isEqualTo(1);
            assertThat(metrics.value("vthread_agent_sensor_up", "sensor", "wait")).isEqualTo(1);
            assertThat(metrics.value("vthread_agent_sensor_up", "sensor", "io")).isEqualTo(1);
        }
    }

    @Test
    void noClassOfTheApplicationIsTouched() {
        try (ForkedJvm jvm = on(jdk).main(TimedWaits.class, 1, 1).awaitDone()) {
            Metrics metrics = jvm.metrics();

            assertThat(metrics.value("vthread_agent_classes_total", "outcome", "transformed"))
                    .isZero();
            assertThat(metrics.value("vthread_agent_classes_total", "outcome", "failed")).isZero();
            assertThat(metrics.all("vthread_agent_sensor_up", "sensor", "enter")).isEmpty();
        }
    }

    private static ForkedJvm.Launch on(Jdk jdk) {
        return ForkedJvm.on(jdk).carriers(CARRIERS).agent();
    }

    @Test
    void aWaitThatWentOnOnAnotherCarrierDoesNotHideWhatItsThreadDoesLater(@TempDir Path folder) {
        Path report = folder.resolve("report.json");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .vm("--enable-native-access=ALL-UNNAMED")
                        .classPath(ForkedJvm.locationOf(Native.class))
                        .agent("port=0,report=" + report)
                        .main(MovedWait.class, 1_500)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            double heldSeconds = FinalReport.of(jvm, report).heldSeconds("native");

            assertThat(heldSeconds / jvm.number("seconds")).isBetween(0.8, 1.2);
        }
    }
}
