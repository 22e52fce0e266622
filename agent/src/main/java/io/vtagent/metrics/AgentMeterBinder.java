package io.vtagent.metrics;

import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;

/** A group of the agent's meters, to be bound to one registry, once. */
public interface AgentMeterBinder extends MeterBinder, AutoCloseable {
    /**
     * Called before the meters are read. Adds meters that are new, and reads figures that several
     * meters share once.
     */
    default void refresh() {}

    /** Stops publishing to the registry. Its meters remain with their last values. */
    @Override
    default void close() {}

    /**
     * Returns the result of {@code maker}, which binds these meters. Closes them if it fails, for
     * example for lack of memory, because no caller could close them later.
     */
    default <T> T orClosed(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (Throwable failed) {
            close();
            throw failed;
        }
    }
}
