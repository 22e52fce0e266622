package io.vtagent.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** A binder that combines several of the agent's binders. */
public record AllMeters(List<AgentMeterBinder> binders) implements AgentMeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        binders.forEach(binder -> binder.bindTo(registry));
    }

    @Override
    public void refresh() {
        binders.forEach(AgentMeterBinder::refresh);
    }

    /** Closes every binder, even if others fail. */
    @Override
    public void close() {
        closeFrom(0);
    }

    private void closeFrom(int first) {
        if (first < binders.size()) {
            try {
                binders.get(first).close();
            } finally {
                closeFrom(first + 1);
            }
        }
    }
}
