package io.vtagent.metrics;

import io.micrometer.core.instrument.binder.MeterBinder;

/** Some of the agent's meters, to be bound to one registry, once. */
public interface AgentMeterBinder extends MeterBinder, AutoCloseable {
    /** Adds the meters that are new. */
    default void refresh() {}

    /** Tells the registry nothing more. Its meters stay, with what they have. */
    @Override
    default void close() {}
}
