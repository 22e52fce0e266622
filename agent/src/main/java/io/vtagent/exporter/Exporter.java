package io.vtagent.exporter;

import io.vtagent.report.PinReport;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what the agent measures. All methods except {@link #open} are called on one thread of
 * the agent.
 */
interface Exporter {
    /**
     * Opens this exporter on the thread that starts the agent. The application waits for that
     * thread at its first virtual thread, so this must neither be slow nor throw.
     */
    default void open() {}

    /** Returns why this exporter could not be opened, or null if it is working. */
    default @Nullable String failure() {
        return null;
    }

    /** Called as soon as the application has begun, and again a second later if it threw. */
    default void begin() throws Exception {}

    /** Called once a second with what was measured so far. */
    default void publish(PinReport report) throws Exception {}

    /**
     * Called instead of {@link #publish} in a second in which nothing is published, because the JVM
     * has been idle for a while. Does the work that is due even then.
     */
    default void onIdle() throws Exception {}

    /**
     * Warms up: called once, some seconds after the beginning, to do with synthetic data what this
     * exporter will do later. Code that is linked for the first time while the heap is full stays
     * unusable ({@code BootstrapMethodError}).
     */
    default void warmUp(MeasurementSource synthetic) throws Exception {}

    /** Called once, before {@link #end}, when the agent is detached, with the totals. */
    default void publishLast(PinReport report) throws Exception {}

    /**
     * Called once, when this exporter is no longer wanted or the agent is detached from a running
     * JVM. Leaves nothing behind: no thread, no listener, and no outside reference to a class of
     * the agent.
     */
    default void end() throws Exception {}
}
