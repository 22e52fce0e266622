package io.vtagent.bridge;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * One of the agent's meters. The application's registry asks it on whatever thread, a virtual one maybe, for the value that it had when the
 * agent asked last: that takes no lock and runs none of the agent's code but this. Thread-safe.
 */
abstract class Figure implements ToDoubleFunction<Object>, ToLongFunction<Object> {
    private final Meter.Id id;
    private volatile double value;

    Figure(Meter.Id id) {
        this.id = id;
    }

    final Meter.Id id() {
        return id;
    }

    /** Asks the agent. */
    final void update() {
        value = now();
    }

    abstract double now();

    /** What a gauge or a counter tells; of a timer the sum, in nanoseconds. */
    @Override
    public final double applyAsDouble(Object unused) {
        return value;
    }

    /** How many a timer counts. */
    @Override
    public long applyAsLong(Object unused) {
        throw new UnsupportedOperationException(id.toString());
    }

    /** A gauge. */
    static final class OfGauge extends Figure {
        private final Gauge gauge;

        OfGauge(Gauge gauge) {
            super(gauge.getId());
            this.gauge = gauge;
            update();
        }

        @Override
        double now() {
            return gauge.value();
        }
    }

    /** A counter. */
    static final class OfCounter extends Figure {
        private final FunctionCounter counter;

        OfCounter(FunctionCounter counter) {
            super(counter.getId());
            this.counter = counter;
            update();
        }

        @Override
        double now() {
            return counter.count();
        }
    }

    /** A timer that is asked for its sums. */
    static final class OfTimer extends Figure {
        private final FunctionTimer timer;
        private volatile long count;

        OfTimer(FunctionTimer timer) {
            super(timer.getId());
            this.timer = timer;
            update();
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

    /** A timer that is told of each duration. */
    static final class OfEach extends Figure {
        private final ToldTimer timer;

        OfEach(ToldTimer timer) {
            super(timer.getId());
            this.timer = timer;
        }

        ToldTimer timer() {
            return timer;
        }

        @Override
        double now() {
            return 0;
        }
    }
}
