package io.vtagent.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

class PinEventsTest {
    private final List<Boolean> told = new ArrayList<>();
    private boolean fails = true;

    private void recorded(boolean now) {
        if (fails) {
            throw new OutOfMemoryError("made up");
        }
        told.add(now);
    }

    @Test
    void aRecordingThatBeganWithoutMemoryForItIsNoticedLater() {
        try (Recording recording = new Recording();
                PinEvents events = new PinEvents(this::recorded)) {
            recording.start();
            events.open();
            assertThat(told).isEmpty();

            fails = false;
            events.adjust();
            assertThat(told).containsExactly(true);
            events.adjust();
            assertThat(told).as("once").containsExactly(true);

            recording.stop();
            assertThat(told).containsExactly(true, false);
        }
    }
}
