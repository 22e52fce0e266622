package io.vtagent.it.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * The JVM's own recording of pinned threads: every park on a carrier, however short, and nothing
 * else.
 */
final class PinRecording implements AutoCloseable {
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final Recording recording = new Recording();

    PinRecording() {
        recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
    }

    /**
     * The pins so far whose stack has a method that {@code wanted} accepts, as {@code
     * class.method}.
     */
    long pinsIn(Predicate<String> wanted) throws IOException {
        // JFR gives a recording what any other asks for as well, such as the agent's
        return events().stream()
                .filter(
                        event ->
                                event.getEventType().getName().equals(PINNED)
                                        && mentions(event, wanted))
                .count();
    }

    private List<RecordedEvent> events() throws IOException {
        Path file = Files.createTempFile("pins", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file);
        } finally {
            Files.delete(file);
        }
    }

    private static boolean mentions(RecordedEvent event, Predicate<String> wanted) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(
                                frame -> {
                                    RecordedMethod method = frame.getMethod();
                                    return wanted.test(
                                            method.getType().getName() + "." + method.getName());
                                });
    }

    @Override
    public void close() {
        recording.close();
    }
}
