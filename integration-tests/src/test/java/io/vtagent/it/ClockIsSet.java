package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ContendedMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Pstress}: the clock is set while the JVM runs. A pin that is reported both by the JVM's
 * events, which have the time of day, and by samples, which do not have it, counts once. Needs
 * libfaketime (Debian's package {@code faketime}), in the folder of the property {@code
 * it.faketime}.
 */
final class ClockIsSet {
    private static final Path LIBRARY =
            Path.of(System.getProperty("it.faketime", "/usr/lib/x86_64-linux-gnu/faketime"))
                    .resolve("libfaketimeMT.so.1");
    private static final int THREADS = 6;

    /** Long enough for samples to hit it, however late they come. */
    private static final int MILLIS = 2_000;

    private static final double SECONDS = THREADS * MILLIS / 1e3;
    private static final double HOUR_SECONDS = 3_600;

    @TempDir Path folder = Path.of("");

    static List<Arguments> cases() {
        return Jdks.all().stream()
                .flatMap(jdk -> Stream.of("-1h", "+1h").map(step -> Arguments.of(jdk, step)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatLastsMeanwhileCountsOnce(Jdk jdk, String step) throws IOException {
        assertThat(LIBRARY).as("libfaketime, or name its folder by -Dit.faketime").exists();
        Path clock = Files.writeString(folder.resolve("clock"), "+0");
        Path file = folder.resolve("report.json");
        FinalReport report;
        double waited;
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(8)
                        .env("LD_PRELOAD", LIBRARY.toString())
                        .env("FAKETIME_TIMESTAMP_FILE", clock.toString())
                        .env("FAKETIME_NO_CACHE", "1")
                        .env("FAKETIME_DONT_RESET", "1")
                        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                        .env("DONT_FAKE_MONOTONIC", "1") // as older versions call it
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0,vm-events=on,report=" + file)
                        .main(
                                ContendedMonitor.class,
                                jdk.monitorsPin() ? "hashtable" : "native",
                                THREADS,
                                MILLIS)
                        .awaitSensor("vm")) {
            Files.writeString(clock, step);
            jvm.proceed().awaitDone();
            assertThat(Math.abs(jvm.number("clock") - System.currentTimeMillis() / 1e3))
                    .as("the JVM's clock is set")
                    .isBetween(0.9 * HOUR_SECONDS, 1.1 * HOUR_SECONDS);
            waited = jvm.number("seconds");
            report = FinalReport.of(jvm, file);
        }

        assertThat(report.heldSeconds("enter")).isBetween(0.95 * SECONDS, 1.05 * waited);
        assertThat(report.heldSeconds("native")).isLessThan(0.2 * SECONDS);
    }
}
