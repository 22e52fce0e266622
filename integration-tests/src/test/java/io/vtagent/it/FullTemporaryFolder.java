package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.ContendedMonitor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Pstress}: the folder for temporary files, to which Flight Recorder writes, fills up. If
 * Flight Recorder finds no room, HotSpot ends the JVM. So the agent does not start to record there,
 * or stops. The folder is a file system of its own: needs {@code unshare}, and that it may make
 * namespaces.
 */
final class FullTemporaryFolder {
    private static final int MIB = 1 << 20;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theApplicationGoesOnWithoutTheJvmsEvents(Jdk jdk) {
        try (ForkedJvm jvm = launch(jdk, 100).awaitSensor("vm")) {
            Path seen = Path.of("/proc/" + jvm.pid() + "/root" + folder);
            fill(seen, 31);
            jvm.awaitStderr(
                    line ->
                            line.startsWith(
                                            "[vt-agent] sensor vm is down: Flight Recorder writes"
                                                    + " to "
                                                    + folder)
                                    && line.contains(" MiB are free, expected at least 32"));
            await().atMost(LIMIT).until(() -> recorded(seen) == 0);
            fill(seen, 0);
            jvm.proceed().awaitDone();

            assertThat(jvm.metrics().sum("vthread_agent_sensor_up", "sensor", "vm")).isZero();
            assertThat(jvm.end()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void whereThereIsLittleRoomNothingIsRecorded(Jdk jdk) {
        try (ForkedJvm jvm = launch(jdk, 60)) {
            jvm.awaitStderr(
                    line ->
                            line.matches(
                                    "\\[vt-agent] sensor vm is down: Flight Recorder writes to "
                                            + folder
                                            + ", where \\d+ MiB are free, expected at least 64:"
                                            + " without space it would end the JVM"));
            jvm.proceed().awaitDone();
            assertThat(jvm.end()).isZero();
        }
    }

    private ForkedJvm launch(Jdk jdk, int mib) {
        return ForkedJvm.on(jdk)
                .through(
                        "unshare",
                        "-rm",
                        "bash",
                        "-c",
                        "mount -t tmpfs -o size=" + mib + "m tmpfs " + folder + " && exec \"$@\"",
                        "bash")
                .carriers(8)
                .vm("-Djava.io.tmpdir=" + folder)
                .agent("port=0,report=off,vm-events=on")
                .main(ContendedMonitor.class, "hashtable", 6, 300);
    }

    /** Leaves less than {@code mib} MiB free. */
    private static void fill(Path folder, int mib) {
        try (OutputStream file = Files.newOutputStream(folder.resolve("fill-" + mib))) {
            while (Files.getFileStore(folder).getUsableSpace() >= Math.max((long) mib * MIB, 1)) {
                file.write(new byte[4096]);
            }
        } catch (IOException full) {
            assertThat(mib).as("%s", full).isZero();
        }
    }

    /** Returns the number of Flight Recorder's files. */
    private static long recorded(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".jfr")).count();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
