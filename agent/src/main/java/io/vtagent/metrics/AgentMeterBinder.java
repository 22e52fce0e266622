package io.vtagent.metrics;

import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;

/** Some of the agent's meters, to be bound to one registry, once. */
public interface AgentMeterBinder extends MeterBinder, AutoCloseable {
    /** Called before the meters are read: adds those that are new, and asks once for what several of them tell. */
    default void refresh() {}

    /** Tells the registry nothing more. Its meters stay, with what they have. */
    @Override
    default void close() {}

    /** What {@code maker} binds these to. If it fails, as for want of memory, they are closed: nobody would know that they are bound. */
    default <T> T orClosed(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (Throwable failed) {
            close();
            throw failed;
        }
    }
}
