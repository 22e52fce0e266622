package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDelayTest {
    private static final long MILLI = 1_000_000;
    private static final long AGE = 1_000_000_000_000_000_000L;

    @TempDir private Path directory;

    @Test
    void whatTheThreadCannotHaveSleptIsTakenOffAsFarAsItWasQueued() {
        assertThat(RunDelay.withoutDelay(90 * MILLI, 85 * MILLI, 2 * MILLI)).isEqualTo(5 * MILLI);
        assertThat(RunDelay.withoutDelay(90 * MILLI, 0, 2 * MILLI)).isEqualTo(90 * MILLI);
        assertThat(RunDelay.withoutDelay(90 * MILLI, 200 * MILLI, -3 * MILLI)).isZero();
    }

    @Test
    void whatItMayHaveSleptIsNeverTakenOff() {
        assertThat(RunDelay.withoutDelay(50 * MILLI, 90 * MILLI, 50 * MILLI)).isEqualTo(50 * MILLI);
        assertThat(RunDelay.withoutDelay(50 * MILLI, 90 * MILLI, 800 * MILLI))
                .isEqualTo(50 * MILLI);
        assertThat(RunDelay.withoutDelay(50 * MILLI, 30 * MILLI, 40 * MILLI)).isEqualTo(40 * MILLI);
    }

    /** A thread that has run for an age cannot have slept, however late it reads its times. */
    @Test
    void anIntervalWithoutSleepIsShorterByTheWholeDelay() throws IOException {
        RunDelay delay = ofFile(0, 70 * MILLI);
        assertThat(delay.withoutDelay(MILLI)).as("the first read").isEqualTo(MILLI);
        pass(5 * MILLI);
        write(AGE, 73 * MILLI);

        assertThat(delay.withoutDelay(5 * MILLI)).isEqualTo(2 * MILLI);
    }

    @Test
    void anIntervalThatTheThreadMayHaveSleptThroughIsNotShorter() throws IOException {
        RunDelay delay = ofFile(AGE, 0);
        assertThat(delay.withoutDelay(MILLI)).as("the first read").isEqualTo(MILLI);
        pass(10 * MILLI);
        write(AGE, 5 * MILLI);

        assertThat(delay.withoutDelay(5 * MILLI)).isEqualTo(5 * MILLI);
    }

    @Test
    void fromAnIntervalThatBeganBeforeTheTimesWereReadNothingIsTakenOff() throws IOException {
        RunDelay delay = ofFile(0, 0);
        assertThat(delay.withoutDelay(MILLI)).as("the first read").isEqualTo(MILLI);
        write(AGE, 3 * MILLI);

        assertThat(delay.withoutDelay(3_600_000 * MILLI)).isEqualTo(3_600_000 * MILLI);
    }

    @Test
    void theTimesAreReadForAnIntervalOfAMillisecond() throws IOException {
        RunDelay delay = ofFile(0, 0);
        assertThat(delay.withoutDelay(MILLI)).as("the first read").isEqualTo(MILLI);
        pass(MILLI);
        write(AGE, MILLI);

        assertThat(delay.withoutDelay(MILLI)).isZero();
    }

    @Test
    void forAShorterOneTheTimesAreReadOnlyIfTheSamplerAsksForIt() throws IOException {
        RunDelay delay = ofFile(0, 0);
        assertThat(delay.withoutDelay(1)).as("the first read").isEqualTo(1);

        write(AGE, 2 * MILLI);
        assertThat(delay.withoutDelay(7)).as("reads nothing").isEqualTo(7);
        pass(5 * MILLI);
        assertThat(delay.withoutDelay(5 * MILLI)).isEqualTo(3 * MILLI);

        write(2 * AGE, 4 * MILLI);
        delay.refresh();
        assertThat(delay.withoutDelay(7)).as("reads the times").isEqualTo(7);
        pass(5 * MILLI);
        assertThat(delay.withoutDelay(5 * MILLI)).isEqualTo(5 * MILLI);
    }

    @Test
    void whileTheTimesAreNotKnownNothingIsTakenOff() throws IOException {
        RunDelay delay = ofFile(0, 0);
        assertThat(delay.withoutDelay(MILLI)).as("the first read").isEqualTo(MILLI);
        pass(5 * MILLI);
        Files.delete(file());
        assertThat(delay.withoutDelay(5 * MILLI)).isEqualTo(5 * MILLI);

        pass(5 * MILLI);
        write(AGE, 3 * MILLI);
        assertThat(delay.withoutDelay(5 * MILLI)).as("first read again").isEqualTo(5 * MILLI);
    }

    private RunDelay ofFile(long ranNanos, long queuedNanos) throws IOException {
        write(ranNanos, queuedNanos);
        return new RunDelay(new ThreadTimes(ThreadTimes.path(file().toString())));
    }

    private void write(long ranNanos, long queuedNanos) throws IOException {
        Files.writeString(file(), ranNanos + " " + queuedNanos + " 1\n");
    }

    private Path file() {
        return directory.resolve("schedstat");
    }

    private static void pass(long nanos) {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < nanos) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aThreadThatSleepsIsHeldForAsLong() {
        assertThat(RunDelay.prepare()).isTrue();
        RunDelay delay = new RunDelay();
        assertThat(delay.withoutDelay(1)).isEqualTo(1);
        long beganNanos = System.nanoTime();
        long untilNanos = beganNanos + 20 * MILLI;
        for (long left = 20 * MILLI; left > 0; left = untilNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        // it may be late to wake, and wait for a CPU then
        assertThat(delay.withoutDelay(System.nanoTime() - beganNanos)).isGreaterThan(19 * MILLI);
    }
}
