package io.vtagent.exporter.bridge;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeFunctionCounter;
import io.micrometer.core.instrument.cumulative.CumulativeFunctionTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.internal.DefaultGauge;
import io.vtagent.metrics.AgentMeterBinder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A registry of the agent's meters with the values of the last {@link #update}, for all of the
 * application's registries.
 */
public final class CachedMeterRegistry extends MeterRegistry {
    private final AgentMeterBinder meters;
    private final List<CachedMeter> made = new CopyOnWriteArrayList<>();
    private volatile List<CachedMeter> all = List.of();

    /**
     * @param tags the tags of every meter
     */
    public CachedMeterRegistry(Map<String, String> tags, AgentMeterBinder meters) {
        super(Clock.SYSTEM);
        this.meters = meters;
        config().commonTags(
                        tags.entrySet().stream()
                                .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                                .toList());
        meters.bindTo(this);
        ask();
    }

    /**
     * Returns the meters that have a value, in the order of their registration. Later calls may
     * return more.
     */
    List<CachedMeter> all() {
        return all;
    }

    /** Updates all values. For one thread of the agent. */
    void update() {
        meters.refresh();
        ask();
    }

    private void ask() {
        List<CachedMeter> now = List.copyOf(made);
        now.forEach(CachedMeter::update);
        all = now;
    }

    @Override
    public void close() {
        meters.close();
        super.close();
    }

    @Override
    protected <T> Gauge newGauge(Meter.Id id, @Nullable T of, ToDoubleFunction<T> value) {
        Gauge gauge = new DefaultGauge<>(id, of, value);
        made.add(new CachedMeter.OfGauge(gauge));
        return gauge;
    }

    @Override
    protected <T> FunctionCounter newFunctionCounter(Meter.Id id, T of, ToDoubleFunction<T> count) {
        FunctionCounter counter = new CumulativeFunctionCounter<>(id, of, count);
        made.add(new CachedMeter.OfCounter(counter));
        return counter;
    }

    @Override
    protected <T> FunctionTimer newFunctionTimer(
            Meter.Id id, T of, ToLongFunction<T> count, ToDoubleFunction<T> total, TimeUnit unit) {
        FunctionTimer timer =
                new CumulativeFunctionTimer<>(id, of, count, total, unit, getBaseTimeUnit());
        made.add(new CachedMeter.OfTimer(timer));
        return timer;
    }

    @Override
    protected Timer newTimer(
            Meter.Id id, DistributionStatisticConfig config, PauseDetector unused) {
        BufferingTimer timer = new BufferingTimer(id, config);
        made.add(new CachedMeter.OfEach(timer));
        return timer;
    }

    @Override
    protected Counter newCounter(Meter.Id id) {
        throw new UnsupportedOperationException(id.toString());
    }

    @Override
    protected DistributionSummary newDistributionSummary(
            Meter.Id id, DistributionStatisticConfig config, double scale) {
        throw new UnsupportedOperationException(id.toString());
    }

    @Override
    protected Meter newMeter(Meter.Id id, Meter.Type type, Iterable<Measurement> measurements) {
        throw new UnsupportedOperationException(id.toString());
    }

    @Override
    protected TimeUnit getBaseTimeUnit() {
        return TimeUnit.SECONDS;
    }

    @Override
    protected DistributionStatisticConfig defaultHistogramConfig() {
        return DistributionStatisticConfig.DEFAULT;
    }
}
