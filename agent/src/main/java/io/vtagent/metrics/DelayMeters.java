package io.vtagent.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vtagent.pin.DurationTotals;
import io.vtagent.usage.DelayProbe;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the delay with which virtual threads start to run, which users of the service notice.
 */
public final class DelayMeters implements AgentMeterBinder {
    static final String DELAY = "vthread.scheduler.delay";
    static final String CURRENT = "vthread.scheduler.delay.current";

    private static final double NANOS_PER_SECOND = 1e9;

    private final DelayProbe probe;
    private final boolean histogram;
    private @Nullable Consumer<DurationTotals> sink;

    /**
     * @param histogram whether the timer has buckets
     */
    public DelayMeters(DelayProbe probe, boolean histogram) {
        this.probe = probe;
        this.histogram = histogram;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Timer.Builder builder =
                Timer.builder(DELAY)
                        .description("How late virtual threads start to run, measured by a probe");
        SummedTimer timer = new SummedTimer(builder, histogram, registry);
        sink = timer::add;
        probe.delays().publishTo(sink);
        Gauge.builder(CURRENT, () -> probe.currentNanos() / NANOS_PER_SECOND)
                .description("How long a probe has been waiting to start, or 0")
                .baseUnit("seconds")
                .register(registry);
    }

    @Override
    public void refresh() {
        Consumer<DurationTotals> bound = sink;
        if (bound != null) {
            probe.delays().awaitPublished(bound);
        }
    }

    @Override
    public void close() {
        Consumer<DurationTotals> bound = sink;
        if (bound != null) {
            probe.delays().publishNoMore(bound);
        }
    }
}
