package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.relief.ReliefFigures;

/** What relief does, if it is on. */
public final class ReliefMeters implements AgentMeterBinder {
    static final String CARRIERS = "vthread.relief.carriers";

    private final ReliefFigures relief;

    public ReliefMeters(ReliefFigures relief) {
        this.relief = relief;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder(CARRIERS, relief, ReliefFigures::added)
                .description("Carriers added to make up for held ones")
                .register(registry);
    }
}
