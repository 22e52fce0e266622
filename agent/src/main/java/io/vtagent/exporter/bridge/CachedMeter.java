package io.vtagent.exporter.bridge;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * One of the agent's meters, with a cached value. The application's registry reads it on any
 * thread, possibly a virtual one, and gets the value of the last {@link #update}. Such a read takes
 * no lock and runs no other code of the agent. The constructor computes no value, because it runs
 * while Micrometer holds the registry's lock ({@code MeterRegistry.getOrCreateMeter}). Thread-safe.
 */
abstract class CachedMeter implements ToDoubleFunction<Object>, ToLongFunction<Object> {
    private final Meter.Id id;
    private volatile double value;

    CachedMeter(Meter.Id id) {
        this.id = id;
    }

    final Meter.Id id() {
        return id;
    }

    /** Caches the agent's current value. */
    final void update() {
        value = now();
    }

    abstract double now();

    /** Returns the value of a gauge or a counter, or the sum of a timer in nanoseconds. */
    @Override
    public final double applyAsDouble(Object unused) {
        return value;
    }

    /** Returns the count of a timer. */
    @Override
    public long applyAsLong(Object unused) {
        throw new UnsupportedOperationException(id.toString());
    }

    /** A gauge. */
    static final class OfGauge extends CachedMeter {
        private final Gauge gauge;

        OfGauge(Gauge gauge) {
            super(gauge.getId());
            this.gauge = gauge;
        }

        @Override
        double now() {
            return gauge.value();
        }
    }

    /** A counter. */
    static final class OfCounter extends CachedMeter {
        private final FunctionCounter counter;

        OfCounter(FunctionCounter counter) {
            super(counter.getId());
            this.counter = counter;
        }

        @Override
        double now() {
            return counter.count();
        }
    }

    /** A timer that is read as a count and a sum. */
    static final class OfTimer extends CachedMeter {
        private final FunctionTimer timer;
        private volatile long count;

        OfTimer(FunctionTimer timer) {
            super(timer.getId());
            this.timer = timer;
        }

        @Override
        double now() {
            count = (long) timer.count();
            return timer.totalTime(TimeUnit.NANOSECONDS);
        }

        @Override
        public long applyAsLong(Object unused) {
            return count;
        }
    }

    /** A timer that records each duration. */
    static final class OfEach extends CachedMeter {
        private final BufferingTimer timer;

        OfEach(BufferingTimer timer) {
            super(timer.getId());
            this.timer = timer;
        }

        BufferingTimer timer() {
            return timer;
        }

        @Override
        double now() {
            return 0;
        }
    }
}
