package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OpenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest {
    @TempDir private Path directory;
    private Path file;
    private ThreadTimes times;

    @BeforeEach
    void readFromOwnFile() {
        file = directory.resolve("schedstat");
        times = new ThreadTimes(ThreadTimes.path(file.toString()));
    }

    @Test
    void theFirstNumberIsTheCpuTimeAndTheSecondTheRunQueueDelay() throws IOException {
        Files.writeString(file, "1234567890123 450 7\n");

        assertThat(times.read()).isTrue();
        assertThat(times.ranNanos()).isEqualTo(1_234_567_890_123L);
        assertThat(times.queuedNanos()).isEqualTo(450);
    }

    @Test
    void eachReadSeesTheFileAsItIsThen() throws IOException {
        Files.writeString(file, "10 20 1\n");
        assertThat(times.read()).isTrue();
        Files.writeString(file, "310 20000 2\n");

        assertThat(times.read()).isTrue();
        assertThat(times.ranNanos()).isEqualTo(310);
        assertThat(times.queuedNanos()).isEqualTo(20_000);
    }

    @Test
    void aReadThatFindsNoTwoNumbersChangesNothing() throws IOException {
        Files.writeString(file, "10 20 1\n");
        assertThat(times.read()).isTrue();

        Files.writeString(file, "310 20000");
        assertThat(times.read()).as("the second number may be cut off").isFalse();
        Files.writeString(file, "310\n");
        assertThat(times.read()).isFalse();
        Files.writeString(file, "");
        assertThat(times.read()).isFalse();
        Files.delete(file);
        assertThat(times.read()).isFalse();
        assertThat(times.ranNanos()).isEqualTo(10);
        assertThat(times.queuedNanos()).isEqualTo(20);
    }

    @Test
    void withoutAPathNothingIsRead() {
        assertThat(new ThreadTimes(null).read()).isFalse();
    }

    @Test
    void noFileStaysOpen() throws IOException {
        Files.writeString(file, "10 20 1\n");

        assertThat(times.read()).isTrue();
        assertThat(OpenFiles.list()).doesNotContain(file.toRealPath().toString());
    }

    @Test
    void theCpuTimeOfTheCurrentThreadGrowsWhileItComputes() {
        ThreadTimes own = new ThreadTimes();
        assertThat(own.read()).isTrue();
        long before = own.ranNanos();
        assertThat(before).isPositive();
        // the kernel counts it at the latest when its timer ticks
        while (own.ranNanos() == before) {
            assertThat(own.read()).isTrue();
        }
        assertThat(own.ranNanos()).isGreaterThan(before);
    }
}
