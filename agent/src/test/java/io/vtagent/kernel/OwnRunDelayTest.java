package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnRunDelayTest {
    @TempDir private Path directory;

    @Test
    void eachCallReturnsTheDelayThatWasAddedSinceThePreviousOne() throws IOException {
        Path file = directory.resolve("schedstat");
        OwnRunDelay delay = new OwnRunDelay(new ThreadTimes(ThreadTimes.path(file.toString())));
        Files.writeString(file, "900 50 1\n");
        assertThat(delay.newNanos()).as("since the thread began").isEqualTo(50);

        Files.writeString(file, "950 80 2\n");

        assertThat(delay.newNanos()).isEqualTo(30);
        assertThat(delay.newNanos()).isZero();
    }

    @Test
    void whereTheSystemDoesNotReportTheDelayItIsZero() {
        assertThat(new OwnRunDelay(new ThreadTimes(null)).newNanos()).isZero();
    }
}
