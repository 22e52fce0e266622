package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.record.Sensors;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the carriers that failed in a row. With too many of them the sensor is down, until a look succeeds: what went wrong, such as a want
 * of memory, may pass.
 */
final class LookFailures {
    /** After so many the sensor is down. */
    private static final int MOST = 20;

    private static final String NO_MANAGEMENT =
            "this JVM runs without the module java.management, expected it or --add-modules java.management";

    private final String label;
    private final @Nullable Sensors sensors;
    private final Runnable whenDown;
    private int count;

    /**
     * @param label the sensor's
     * @param sensors is told whether it is up; null if the looks are no sensor
     * @param whenDown is told that it is down now
     */
    LookFailures(String label, @Nullable Sensors sensors, Runnable whenDown) {
        this.label = label;
        this.sensors = sensors;
        this.whenDown = whenDown;
        if (sensors != null) {
            sensors.put(label, "");
            if (!canTellWhatSleeps()) {
                sensors.put(label, NO_MANAGEMENT);
                AgentLog.error("sensor " + label + " is down: " + NO_MANAGEMENT);
            }
        }
    }

    /** Whether this JVM has what tells a thread that sleeps from one that runs. */
    static boolean canTellWhatSleeps() {
        return ModuleLayer.boot().findModule("java.management").isPresent();
    }

    /** A look has succeeded. */
    void over() {
        if (count >= MOST && sensors != null) {
            sensors.put(label, "");
            AgentLog.info("sensor " + label + " is up again");
        }
        count = 0;
    }

    /** Who ought to look cannot: the sensor is down at once. */
    void nobodyLooks(Throwable cause) {
        count = Math.max(count, MOST - 1);
        add(cause);
    }

    void add(Throwable failure) {
        count++;
        try {
            if (count == MOST) {
                whenDown.run();
                if (sensors != null) {
                    sensors.put(label, failure.toString());
                }
                AgentLog.error("sensor " + label + " is down: " + failure);
                AgentLog.debug("the cause:", failure);
            }
        } catch (Throwable noMemory) {
            count = MOST - 1; // it is said as soon as that is possible
        }
    }
}
