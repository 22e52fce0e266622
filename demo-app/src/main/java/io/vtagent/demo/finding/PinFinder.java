package io.vtagent.demo.finding;

import java.util.List;

/**
 * A tool that finds pins in its own JVM, for {@link FindingDemo}; some are in the module {@code
 * demo-tools}.
 */
public interface PinFinder {

    /** The class whose pins are to be found. */
    String WORKLOAD = PinnedWorkload.class.getName();

    /** Whether it is the tool of that variant. */
    boolean isFor(String variant);

    void start() throws Exception;

    /** Ends it, and gives all that it has found. */
    Found stop() throws Exception;

    /**
     * The findings of a tool.
     *
     * @param note what the seconds do not show, or an empty text
     */
    record Found(List<Pins> pins, String note) {}

    /**
     * Carriers that were held at one site.
     *
     * @param frames the stack, or as much as the tool reports of it: as text with {@code
     *     class.method} in it
     * @param seconds for how long in all, in seconds; 0 if the tool does not report it
     */
    record Pins(String frames, double seconds) {}
}
