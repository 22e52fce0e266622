package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.CachedReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads that wait for a CPU because other processes have the CPUs: they are not blocked by what
 * they call.
 */
final class ScarceCpuIT {
    private static final int CARRIERS = 2;
    private static final int MILLIS = 3_000;

    /** About a tenth of what a thread of the usual priority gets. */
    private static final String NICE = "10";

    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whatWaitsForACpuWhileItReadsACachedFileIsNotHeld(Jdk jdk)
            throws IOException, InterruptedException {
        Path file = folder.resolve("report.json");
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> busy = new ArrayList<>();
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .agent("port=0,report=" + file)
                        .main(CachedReads.class, CARRIERS, MILLIS)
                        .awaitSensor("sampler")) {
            // all of its threads, and those that they start from now on
            String renice = "renice -n " + NICE + " -p $(ls /proc/" + jvm.pid() + "/task)";
            assertThat(
                            new ProcessBuilder("sh", "-c", renice)
                                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                    .start()
                                    .waitFor())
                    .isZero();
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                busy.add(
                        Thread.ofPlatform()
                                .daemon()
                                .start(
                                        () -> {
                                            while (!over.get()) {
                                                Thread.onSpinWait();
                                            }
                                        }));
            }
            jvm.proceed().awaitDone();
            over.set(true);
            double seconds = jvm.number("seconds");
            FinalReport report = FinalReport.of(jvm, file);

            assertThat(report.heldSeconds() / seconds)
                    .as(() -> report.json().toString())
                    .isLessThan(0.1);
        } finally {
            over.set(true);
            for (Thread each : busy) {
                each.join();
            }
        }
    }
}
