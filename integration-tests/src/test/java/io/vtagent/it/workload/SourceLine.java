package io.vtagent.it.workload;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The source line at which something blocks: a number that is passed through {@link #mark} leaves
 * the line of the call behind.
 */
final class SourceLine {
    private static final Map<String, String> PLACES = new ConcurrentHashMap<>();

    private SourceLine() {}

    /** Gives {@code value} back, and keeps where it was called as the place named {@code name}. */
    static long mark(String name, long value) {
        if (!PLACES.containsKey(name)) {
            PLACES.put(name, caller());
        }
        return value;
    }

    /** The place as {@code class.method:line}. */
    static String of(String name) {
        String place = PLACES.get(name);
        if (place == null) {
            throw new IllegalStateException("nobody was at " + name);
        }
        return place;
    }

    private static String caller() {
        return StackWalker.getInstance()
                .walk(
                        frames ->
                                frames.skip(2)
                                        .findFirst()
                                        .map(
                                                frame ->
                                                        frame.getClassName()
                                                                + "."
                                                                + frame.getMethodName()
                                                                + ":"
                                                                + frame.getLineNumber())
                                        .orElseThrow());
    }
}
