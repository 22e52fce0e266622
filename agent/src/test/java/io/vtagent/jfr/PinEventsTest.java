package io.vtagent.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

class PinEventsTest {
    private static final long LONG_NANOS = 20_000_000_000L;

    private final List<Boolean> reported = new ArrayList<>();
    private boolean fails = true;

    private void recorded(boolean now) {
        if (fails) {
            throw new OutOfMemoryError("made up");
        }
        reported.add(now);
    }

    @Test
    void aRecordingThatBeganWithoutMemoryForItIsNoticedLater() {
        try (Recording recording = new Recording();
                PinEvents events = new PinEvents(this::recorded)) {
            recording.start();
            events.open();
            assertThat(reported).isEmpty();

            fails = false;
            events.adjust();
            assertThat(reported).containsExactly(true);
            events.adjust();
            assertThat(reported).as("once").containsExactly(true);

            recording.stop();
            assertThat(reported).containsExactly(true, false);
        }
    }

    /** A recording begins on a thread of the application's. */
    @Test
    void theThreadThatRecordsKeepsItsInterruptAndItsPermitToGoOn() {
        fails = false;
        try (Recording recording = new Recording();
                PinEvents events = new PinEvents(this::recorded)) {
            recording.start();
            LockSupport.unpark(Thread.currentThread());
            Thread.currentThread().interrupt();
            events.open();

            assertThat(reported).containsExactly(true);
            assertThat(Thread.interrupted()).isTrue();
            long beganNanos = System.nanoTime();
            LockSupport.parkNanos(LONG_NANOS);
            assertThat(System.nanoTime() - beganNanos).isLessThan(LONG_NANOS / 2);
        }
    }
}
