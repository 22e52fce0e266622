package io.vtagent.it.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The event without its threshold. */
final class JfrObserver implements Observer {
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final Recording recording = new Recording();

    JfrObserver() {
        recording.enable(PINNED).withThreshold(Duration.ZERO).withoutStackTrace();
        recording.start();
    }

    @Override
    public long heldNanos() throws IOException {
        Path file = Files.createTempFile("reference", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .map(RecordedEvent::getDuration)
                    .mapToLong(Duration::toNanos)
                    .sum();
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public void close() {
        recording.close();
    }
}
