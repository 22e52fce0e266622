package io.vtagent.sampler;

import io.vtagent.ledger.Sensors;
import io.vtagent.log.AgentLog;
import org.jspecify.annotations.Nullable;

/**
 * Counts samples that fail in a row. With too many of them the sensor is down until a sample
 * succeeds, because the cause, such as a lack of memory, may pass.
 */
final class SamplerHealth {
    /** The number of failures after which the sensor is down. */
    private static final int MAX_FAILURES = 20;

    private static final String NO_MANAGEMENT =
            "this JVM runs without the module java.management, expected it or --add-modules"
                    + " java.management";

    private final String label;
    private final @Nullable Sensors sensors;
    private final Runnable whenDown;
    private int count;

    /**
     * @param label the label of the sensor
     * @param sensors records whether the sensor is up; null if the sampler is no sensor
     * @param whenDown is run when the sensor goes down
     */
    SamplerHealth(String label, @Nullable Sensors sensors, Runnable whenDown) {
        this.label = label;
        this.sensors = sensors;
        this.whenDown = whenDown;
        if (sensors != null) {
            sensors.put(label, "");
            if (!canDetectSleep()) {
                sensors.put(label, NO_MANAGEMENT);
                AgentLog.error("sensor " + label + " is down: " + NO_MANAGEMENT);
            }
        }
    }

    /** Returns whether this JVM can distinguish sleeping threads from running ones. */
    static boolean canDetectSleep() {
        return ModuleLayer.boot().findModule("java.management").isPresent();
    }

    /** Called when a sample has succeeded. */
    void onSuccess() {
        if (count >= MAX_FAILURES && sensors != null) {
            sensors.put(label, "");
            AgentLog.info("sensor " + label + " is up again");
        }
        count = 0;
    }

    /** Called when there is no thread to take samples: the sensor is down at once. */
    void onThreadFailure(Throwable cause) {
        count = Math.max(count, MAX_FAILURES - 1);
        add(cause);
    }

    void add(Throwable failure) {
        count++;
        try {
            if (count == MAX_FAILURES) {
                whenDown.run();
                if (sensors != null) {
                    sensors.put(label, failure.toString());
                }
                AgentLog.error("sensor " + label + " is down: " + failure);
                AgentLog.debug("the cause:", failure);
            }
        } catch (Throwable noMemory) {
            count = MAX_FAILURES - 1; // the next failure tries again
        }
    }
}
