package io.vtagent.bridge;

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

/** The agent's meters with the values of the last {@link #update}, for all of the application's registries. */
public final class Figures extends MeterRegistry {
    private final AgentMeterBinder meters;
    private final List<Figure> all = new CopyOnWriteArrayList<>();

    /** @param tags of every meter */
    public Figures(Map<String, String> tags, AgentMeterBinder meters) {
        super(Clock.SYSTEM);
        this.meters = meters;
        config().commonTags(tags.entrySet().stream()
                .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                .toList());
        meters.bindTo(this);
    }

    /** In the order in which they came; later ones may follow. */
    List<Figure> all() {
        return all;
    }

    /** Asks the agent for all values. For one thread of the agent. */
    void update() {
        meters.refresh();
        all.forEach(Figure::update);
    }

    @Override
    public void close() {
        meters.close();
        super.close();
    }

    @Override
    protected <T> Gauge newGauge(Meter.Id id, @Nullable T of, ToDoubleFunction<T> value) {
        Gauge gauge = new DefaultGauge<>(id, of, value);
        all.add(new Figure.OfGauge(gauge));
        return gauge;
    }

    @Override
    protected <T> FunctionCounter newFunctionCounter(Meter.Id id, T of, ToDoubleFunction<T> count) {
        FunctionCounter counter = new CumulativeFunctionCounter<>(id, of, count);
        all.add(new Figure.OfCounter(counter));
        return counter;
    }

    @Override
    protected <T> FunctionTimer newFunctionTimer(
            Meter.Id id, T of, ToLongFunction<T> count, ToDoubleFunction<T> total, TimeUnit unit) {
        FunctionTimer timer = new CumulativeFunctionTimer<>(id, of, count, total, unit, getBaseTimeUnit());
        all.add(new Figure.OfTimer(timer));
        return timer;
    }

    @Override
    protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector unused) {
        ToldTimer timer = new ToldTimer(id, config);
        all.add(new Figure.OfEach(timer));
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
