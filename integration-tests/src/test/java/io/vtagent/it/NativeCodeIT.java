package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.workload.Computing;
import io.vtagent.it.workload.NativeSleeps;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Native code that blocks, which neither the JVM nor bytecode reports: only samples find it. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class NativeCodeIT {
    private static final int CARRIERS = 8;
    private static final int THREADS = 8;
    private static final int ROUNDS = 4;

    /** Long enough that a sample may come late on a busy machine. */
    private static final int MILLIS = 500;

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @Test
    void aCallThatBlocksIsAPinOfItsNativeMethodForAsLongAsItLasts() {
        FinalReport report;
        String caller;
        double slept;
        try (ForkedJvm jvm = sleeping("jna", "")) {
            slept = jvm.number("seconds");
            caller = jvm.fact("caller");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.heldSeconds("native") / slept).isBetween(0.8, 1.2);
        // a call that samples find off-CPU, then runnable, then off-CPU counts as two
        assertThat(report.pins("native", "none"))
                .isBetween((long) THREADS * ROUNDS, 2L * THREADS * ROUNDS);
        Json site = report.sites("native").get(0);
        assertThat(site.get("site").string()).isEqualTo("io.vtagent.it.workload.LibC.usleep:?");
        assertThat(site.get("operation").string()).isEqualTo("native code");
        assertThat(site.get("heldNanos").number() / 1e9 / slept).isBetween(0.8, 1.2);
        assertThat(site.get("holderIndex").number()).isZero();
        assertThat(site.get("stack").list().get(1).string())
                .startsWith("io.vtagent.it.workload.NativeSleeps.jna(")
                .endsWith(caller.substring(caller.lastIndexOf(':')) + ")");
        assertThat(site.get("advice").string()).contains("platform threads");
    }

    @Test
    void aThreadThatWaitsForACpuIsNotHeld() {
        int threads = Runtime.getRuntime().availableProcessors() * 4;
        int millis = 1_500;
        // without the JVM's events nothing waits for them to be counted
        try (ForkedJvm jvm =
                launch(threads, ",vm-events=off")
                        .main(Computing.class, threads, millis)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitLine("slept")) {
            Metrics before =
                    jvm.awaitMetrics(metrics -> metrics.pins("kind", "native") >= threads / 2);
            jvm.proceed().awaitDone();
            Metrics metrics = jvm.metrics().since(before);

            // the JVM stops its threads now and then; they waited for three quarters of the time
            // and more
            assertThat(metrics.heldSeconds() / jvm.number("seconds")).isLessThan(0.2);
        }
    }

    @Test
    void withoutSamplesThereIsNoSuchSensorAndNativeCodeIsNotSeen() {
        FinalReport report;
        try (ForkedJvm jvm =
                launch(CARRIERS, ",sample-interval=off")
                        .main(NativeSleeps.class, "jna", THREADS, 1, MILLIS)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            assertThat(jvm.metrics().all("vthread_agent_sensor_up", "sensor", "sampler")).isEmpty();
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.pins("native")).isZero();
    }

    private ForkedJvm sleeping(String binding, String options) {
        return launch(CARRIERS, options)
                .main(NativeSleeps.class, binding, THREADS, ROUNDS, MILLIS)
                .awaitSensor("sampler")
                .proceed()
                .awaitDone();
    }

    private ForkedJvm.Launch launch(int carriers, String options) {
        return ForkedJvm.on(jdk)
                .carriers(carriers)
                .vm("--enable-native-access=ALL-UNNAMED")
                .classPath(ForkedJvm.locationOf(Native.class))
                .agent("port=0,report=" + file() + options);
    }

    private Path file() {
        return folder.resolve("report.json");
    }
}
