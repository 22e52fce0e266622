package io.vtagent.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The clock shows {@link #day} when {@code nanoTime} is {@link #nanos}. */
class EventClockTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private Instant day = Instant.parse("2026-01-01T12:00:00Z");
    private long nanos = -5_000;
    private final EventClock clock = new EventClock(() -> day, () -> nanos);

    @Test
    void anEventWasAtItsTimeOfDay() {
        assertThat(clock.nanoTimeOf(day.minusNanos(700))).isEqualTo(nanos - 700);
    }

    @Test
    void theRecorderGoesOnAsBeforeWhenTheClockWasSetBack() {
        Instant reported = day;
        pass(Duration.ofSeconds(1));
        day = day.minus(HOUR);
        assertThat(clock.nanoTimeOf(reported)).isEqualTo(nanos - 1_000_000_000);
    }

    @Test
    void theRecorderGoesOnAsBeforeWhenTheClockWasSetForward() {
        Instant reported = day;
        pass(Duration.ofSeconds(1));
        day = day.plus(HOUR);
        assertThat(clock.nanoTimeOf(reported)).isEqualTo(nanos - 1_000_000_000);
    }

    @Test
    void theNextChunkHasTheNewTime() {
        day = day.minus(HOUR);
        assertThat(clock.nanoTimeOf(day.minusNanos(3))).isEqualTo(nanos - 3);
        day = day.plus(HOUR).plus(HOUR);
        assertThat(clock.nanoTimeOf(day.minusNanos(3))).isEqualTo(nanos - 3);
    }

    @Test
    void anEventDoesNotEndAfterItWasReceived() {
        assertThat(clock.nanoTimeOf(day.plus(HOUR))).isEqualTo(nanos);
        assertThat(clock.nanoTimeOf(day.plusMillis(20)))
                .as("but for what the clocks differ")
                .isEqualTo(nanos + 20_000_000);
    }

    private void pass(Duration time) {
        day = day.plus(time);
        nanos += time.toNanos();
    }
}
