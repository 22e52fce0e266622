package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vtagent.record.Sensors;
import java.util.function.LongSupplier;

/** The agent itself: which sensors work, which classes were wrapped. */
public final class AgentMeters implements MeterBinder {
    static final String SENSOR_UP = "vthread.agent.sensor.up";
    static final String CLASSES = "vthread.agent.classes";

    private final Sensors sensors;
    private final LongSupplier classesTransformed;
    private final LongSupplier classesFailed;

    /** @param sensors those that this JVM has a use for */
    public AgentMeters(Sensors sensors, LongSupplier classesTransformed, LongSupplier classesFailed) {
        this.sensors = sensors;
        this.classesTransformed = classesTransformed;
        this.classesFailed = classesFailed;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        sensors.failures()
                .keySet()
                .forEach(sensor -> Gauge.builder(SENSOR_UP, () -> sensors.isUp(sensor) ? 1 : 0)
                        .description("1 if the sensor is installed and passed its self-test")
                        .tag("sensor", sensor)
                        .register(registry));
        bindClasses(registry, "transformed", classesTransformed);
        bindClasses(registry, "failed", classesFailed);
    }

    private static void bindClasses(MeterRegistry registry, String outcome, LongSupplier count) {
        FunctionCounter.builder(CLASSES, count, LongSupplier::getAsLong)
                .description("Classes whose monitors were wrapped, or could not be")
                .tag("outcome", outcome)
                .register(registry);
    }
}
