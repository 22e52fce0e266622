package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Allocating;
import io.vtagent.it.workload.AwaitedInitializer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A carrier that sleeps in the JVM is not one that sleeps in native code: waits for a class, and
 * safepoints.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class RightKindIT {
    private static final int CARRIERS = 8;
    private static final int THREADS = 6;
    private static final int MILLIS = 1_500;

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    /** At a static member, or by name, where the first way does not hold a carrier any more. */
    @Test
    void aWaitForAClassCountsFromTheBeginning() {
        String way = jdk.unmountsWaitersForInitializers() ? "name" : "call";
        try (ForkedJvm jvm =
                launch(",vm-events=off")
                        .main(AwaitedInitializer.class, THREADS, 0, way)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitLine("waiting")) {
            Metrics metrics =
                    jvm.awaitMetrics(
                            now ->
                                    now.value("vthread_pinned_active", "kind", "class_init")
                                            == THREADS);

            assertThat(metrics.value("vthread_pinned_active", "kind", "native")).isZero();
            assertThat(metrics.value("vthread_pinned_active", "kind", "jvm")).isZero();
            jvm.proceed().awaitDone();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "handle", "reflection"})
    void aWaitThatBeganInANativeMethodIsNoNativeCode(String way) {
        FinalReport report;
        double waited;
        try (ForkedJvm jvm =
                launch(",vm-events=off")
                        .main(AwaitedInitializer.class, THREADS, MILLIS, way)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.heldSeconds("class_init") / waited).isBetween(0.7, 1.2);
        assertThat(report.heldSeconds("native") / waited).isLessThan(0.2);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"name", "handle", "reflection"})
    void norIsItCountedTwiceIfTheJvmReportsIt(String way) {
        FinalReport report;
        double waited;
        try (ForkedJvm jvm =
                launch(",vm-events=on")
                        .main(AwaitedInitializer.class, THREADS, MILLIS, way)
                        .awaitSensor("sampler")
                        .awaitSensor("vm")
                        .proceed()
                        .awaitDone()) {
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
        }

        assertThat(report.heldSeconds("class_init") / waited).isBetween(0.95, 1.05);
        assertThat((report.heldSeconds("native") + report.heldSeconds("jvm")) / waited)
                .isLessThan(0.2);
    }

    /**
     * The JVM has stopped all threads for most of the time: two thirds of all of it once counted as
     * native code.
     */
    @Test
    void aThreadThatIsStoppedForAGarbageCollectionIsNotHeld() {
        FinalReport report;
        double stopped;
        double seconds;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .vm("-Xmx300m")
                        .agent("port=0,report=" + file())
                        .main(Allocating.class, 4, 2 * MILLIS)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            stopped = jvm.number("stopped");
            seconds = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
        }

        assertThat(stopped).isGreaterThan(0.3);
        assertThat(report.heldSeconds() / seconds).isLessThan(1 - stopped);
        assertThat(report.heldSeconds("native") / seconds).isLessThan(0.2);
    }

    /**
     * A thread that needs memory waits for the collector and its locks, before and after the
     * safepoint too.
     */
    @Test
    void aThreadThatWaitsForTheCollectorIsNotHeldByTheLineThatAllocates() {
        FinalReport report;
        double stopped;
        double seconds;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(2)
                        .vm("-Xmx110m", "-XX:+UseSerialGC")
                        .agent("port=0,report=" + file())
                        .main(Allocating.class, 2, 2 * MILLIS)
                        .awaitSensor("sampler")
                        .proceed()
                        .awaitDone()) {
            stopped = jvm.number("stopped");
            seconds = jvm.number("seconds");
            report = FinalReport.of(jvm, file());
        }

        assertThat(stopped).isGreaterThan(0.3);
        assertThat(report.heldSeconds("jvm") / seconds).isLessThan(0.01);
        assertThat(report.sites("jvm")).isEmpty();
    }

    private ForkedJvm.Launch launch(String options) {
        return ForkedJvm.on(jdk).carriers(CARRIERS).agent("port=0,report=" + file() + options);
    }

    private Path file() {
        return folder.resolve("report.json");
    }
}
