package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.relief.ReliefFigures;
import org.jspecify.annotations.Nullable;

/** Meters of relief. None exist before relief is on. */
public final class ReliefMeters implements AgentMeterBinder {
    static final String CARRIERS = "vthread.relief.carriers";

    private final ReliefFigures relief;
    private @Nullable MeterRegistry registry;

    public ReliefMeters(ReliefFigures relief) {
        this.relief = relief;
    }

    @Override
    public synchronized void bindTo(MeterRegistry newRegistry) {
        registry = newRegistry;
        refresh();
    }

    @Override
    public synchronized void refresh() {
        MeterRegistry to = registry;
        if (to == null || !relief.isOn()) {
            return;
        }
        FunctionCounter.builder(CARRIERS, relief, ReliefFigures::added)
                .description("Carriers that relief added to compensate for held ones")
                .register(to);
        registry = null;
    }
}
