package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.ledger.Sensors;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Meters of the agent itself: working sensors and wrapped classes. Thread-safe. */
public final class AgentMeters implements AgentMeterBinder {
    static final String SENSOR_UP = "vthread.agent.sensor.up";
    static final String CLASSES = "vthread.agent.classes";

    private final Sensors sensors;
    private final LongSupplier classesTransformed;
    private final LongSupplier classesFailed;
    private final Set<String> bound = new HashSet<>();
    private @Nullable MeterRegistry registry;

    /**
     * @param sensors the sensors that this JVM needs
     */
    public AgentMeters(
            Sensors sensors, LongSupplier classesTransformed, LongSupplier classesFailed) {
        this.sensors = sensors;
        this.classesTransformed = classesTransformed;
        this.classesFailed = classesFailed;
    }

    @Override
    public synchronized void bindTo(MeterRegistry newRegistry) {
        registry = newRegistry;
        refresh();
        bindClasses(newRegistry, "transformed", classesTransformed);
        bindClasses(newRegistry, "failed", classesFailed);
    }

    /** Adds the meters of new sensors: some start when they are needed. */
    @Override
    public synchronized void refresh() {
        MeterRegistry to = registry;
        if (to == null) {
            return;
        }
        for (String sensor : sensors.failures().keySet()) {
            if (!bound.contains(sensor)) {
                Gauge.builder(SENSOR_UP, () -> sensors.isUp(sensor) ? 1 : 0)
                        .description(
                                "1 if the sensor is installed and has passed its self-test,"
                                        + " else 0")
                        .tag("sensor", sensor)
                        .register(to);
                bound.add(sensor);
            }
        }
    }

    private static void bindClasses(MeterRegistry registry, String outcome, LongSupplier count) {
        FunctionCounter.builder(CLASSES, count, LongSupplier::getAsLong)
                .description("Classes whose synchronized was rewritten, or could not be")
                .tag("outcome", outcome)
                .register(registry);
    }
}
