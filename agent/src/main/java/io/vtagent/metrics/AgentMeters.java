package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.LongSupplier;

/** The agent itself: which sensors work, which classes were wrapped. */
public final class AgentMeters implements MeterBinder {
    static final String SENSOR_UP = "vthread.agent.sensor.up";
    static final String CLASSES = "vthread.agent.classes";

    private final Map<String, Boolean> sensors;
    private final LongSupplier classesTransformed;
    private final LongSupplier classesFailed;

    /** @param sensors by label, those that this JVM has a use for: whether they are installed and self-tested */
    public AgentMeters(Map<String, Boolean> sensors, LongSupplier classesTransformed, LongSupplier classesFailed) {
        this.sensors = Map.copyOf(sensors);
        this.classesTransformed = classesTransformed;
        this.classesFailed = classesFailed;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        sensors.forEach((sensor, up) -> Gauge.builder(SENSOR_UP, () -> up ? 1 : 0)
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
