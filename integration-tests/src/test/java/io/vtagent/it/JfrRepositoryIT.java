package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.OwnRecording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that the agent's use of Flight Recorder leaves behind. */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class JfrRepositoryIT {
    private static final String MARK = "recorded-by-vt-agent-only";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @Test
    void theRecordingOfTheStreamHasTheAgentsNameAndEndsWithTheJvm() {
        try (ForkedJvm jvm = streaming()) {
            assertThat(jvm.fact("recording")).isEqualTo("vt-agent");
            assertThat(Path.of(jvm.fact("repository"))).isDirectoryContaining("glob:**.jfr");
            jvm.proceed().awaitDone();
            assertThat(jvm.end()).isZero();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatAKilledJvmLeftIsRemovedByTheNextAgentAndNothingElse() throws IOException {
        Path othersChunk = chunk("2026_01_01_00_00_00_11");
        Path notes =
                Files.createFile(
                        Files.createFile(chunk("2026_01_01_00_00_00_12").resolveSibling(MARK))
                                .resolveSibling("notes.txt"));
        Path outside = Files.createFile(chunk("elsewhere").resolveSibling(MARK));
        Files.createSymbolicLink(folder.resolve("2026_01_01_00_00_00_13"), outside.getParent());
        try (ForkedJvm living = streaming()) {
            Path inUse = markOf(living);
            Path left = markOf(killed(streaming())).getParent();
            assertThat(left).isDirectory();

            try (ForkedJvm next = streaming()) {
                await().atMost(LIMIT).until(() -> Files.notExists(left));
                assertThat(markOf(next)).isRegularFile();
            }
            assertThat(inUse).isRegularFile();
        }
        assertThat(othersChunk).isRegularFile();
        assertThat(notes).isRegularFile();
        assertThat(notes.resolveSibling("chunk.jfr")).isRegularFile();
        assertThat(outside).isRegularFile();
        assertThat(outside.resolveSibling("chunk.jfr")).isRegularFile();
    }

    @Test
    void whatTheApplicationRecordedStaysAlsoOfAKilledJvm() {
        Path mark;
        try (ForkedJvm jvm = streaming()) {
            mark = markOf(jvm);
            assertThat(mark).isRegularFile();
            jvm.proceed().awaitDone();
            assertThat(mark).doesNotExist();
            killed(jvm);
        }
        // the folders beside were checked before the events came that prove the sensor
        try (ForkedJvm next = streaming()) {
            assertThat(markOf(next)).isRegularFile();
            assertThat(mark.getParent()).isDirectoryContaining("glob:**.jfr");
        }
    }

    private Path chunk(String name) throws IOException {
        return Files.createFile(Files.createDirectory(folder.resolve(name)).resolve("chunk.jfr"));
    }

    private static Path markOf(ForkedJvm jvm) {
        return Path.of(jvm.fact("repository")).resolve(MARK);
    }

    private static ForkedJvm killed(ForkedJvm jvm) {
        jvm.close();
        assertThat(jvm.end()).isNotZero();
        return jvm;
    }

    /** Starts a JVM whose events are streamed. */
    private ForkedJvm streaming() {
        return ForkedJvm.on(jdk)
                .vm("-Djava.io.tmpdir=" + folder)
                .agent("port=0,report=off,vm-events=on")
                .main(OwnRecording.class)
                .awaitLine("warm")
                .awaitSensor("vm")
                .proceed()
                .awaitLine("told");
    }
}
