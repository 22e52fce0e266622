package io.vtagent.demo.finding;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code -Djdk.tracePinnedThreads}, which prints the stacks of pinned threads to the standard
 * output; it is gone from JDK 24 on.
 */
final class TracedPins implements PinFinder {

    static final String VARIANT = "trace-pinned-threads";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream stdout = System.out;

    @Override
    public boolean isFor(String variant) {
        return variant.equals(VARIANT);
    }

    @Override
    public void start() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @Override
    public Found stop() {
        System.setOut(stdout);
        List<Pins> traces =
                Stream.of(
                                printed.toString(StandardCharsets.UTF_8)
                                        .split("(?m)^Thread\\[|^VirtualThread\\[", -1))
                        .filter(trace -> trace.contains(PinnedWorkload.class.getName()))
                        .map(trace -> new Pins(trace, 0))
                        .toList();
        String sorts =
                Stream.of(PinnedWorkload.Sort.values())
                        .filter(
                                sort ->
                                        traces.stream()
                                                .anyMatch(trace -> sort.isIn(trace.frames())))
                        .map(sort -> sort.what)
                        .collect(Collectors.joining(", "));
        return new Found(
                traces,
                traces.isEmpty()
                        ? "It printed nothing."
                        : "It printed %d stacks to the standard output, and no durations: %s."
                                .formatted(traces.size(), sorts));
    }
}
