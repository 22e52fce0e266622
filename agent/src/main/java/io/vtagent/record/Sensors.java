package io.vtagent.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which sensors work, by label; for one that does not, the reason. Thread-safe. */
public final class Sensors {
    /** What stands for the reason while it is not known yet whether a sensor works. */
    public static final String NOT_PROVED_YET = "not proved yet";

    private volatile Map<String, String> failures = Map.of();

    /** {@code failure} is empty if the sensor works. */
    public synchronized void put(String sensor, String failure) {
        Map<String, String> changed = new LinkedHashMap<>(failures);
        changed.put(sensor, failure);
        failures = Collections.unmodifiableMap(changed);
    }

    public boolean isUp(String sensor) {
        return "".equals(failures.get(sensor));
    }

    public boolean isToBeProved(String sensor) {
        return NOT_PROVED_YET.equals(failures.get(sensor));
    }

    /** {@code sensor} and, unless it works, what is the matter with it. */
    public String inWords(String sensor) {
        String failure = failures.getOrDefault(sensor, "");
        return failure.isEmpty()
                ? sensor
                : isToBeProved(sensor) ? sensor + " is " + failure : sensor + " is down (" + failure + ")";
    }

    /** Those that this JVM has a use for, in the order in which they came, each with the reason why it does not work or "". */
    public Map<String, String> failures() {
        return failures;
    }
}
