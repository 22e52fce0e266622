package io.vtagent.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Several of the agent's binders as one. */
public record AllMeters(List<AgentMeterBinder> binders) implements AgentMeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        binders.forEach(binder -> binder.bindTo(registry));
    }

    @Override
    public void refresh() {
        binders.forEach(AgentMeterBinder::refresh);
    }

    @Override
    public void close() {
        binders.forEach(AgentMeterBinder::close);
    }
}
