package io.vtagent.demo.finding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * JDK Flight Recorder with the settings {@code profile}, and in it the event {@code
 * jdk.VirtualThreadPinned}.
 */
final class RecordedPins implements PinFinder {

    static final String VARIANT = "jfr";

    private static final String EVENT = "jdk.VirtualThreadPinned";

    private @Nullable Recording recording;

    @Override
    public boolean isFor(String variant) {
        return variant.equals(VARIANT);
    }

    @Override
    public void start() throws IOException, ParseException {
        Recording started = new Recording(Configuration.getConfiguration("profile"));
        started.start();
        recording = started;
    }

    @Override
    public Found stop() throws IOException {
        Path file = Files.createTempFile("finding", ".jfr");
        try (Recording stopped = Objects.requireNonNull(recording)) {
            stopped.stop();
            stopped.dump(file);
            List<Pins> pins = new ArrayList<>();
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                if (event.getEventType().getName().equals(EVENT)) {
                    pins.add(
                            new Pins(
                                    frames(event.getStackTrace()),
                                    event.getDuration().toNanos() / 1e9));
                }
            }
            return new Found(
                    pins,
                    "%d events of at least %s."
                            .formatted(
                                    pins.size(), stopped.getSettings().get(EVENT + "#threshold")));
        } finally {
            Files.delete(file);
        }
    }

    private static String frames(@Nullable RecordedStackTrace stack) {
        return stack == null
                ? ""
                : stack.getFrames().stream()
                        .map(
                                frame ->
                                        frame.getMethod().getType().getName()
                                                + '.'
                                                + frame.getMethod().getName())
                        .collect(Collectors.joining("\n"));
    }
}
