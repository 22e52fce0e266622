package io.vtagent.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which sensors work, by label; for one that does not, the reason. Thread-safe. */
public final class Sensors {
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

    /** Those that this JVM has a use for, in the order in which they came, each with the reason why it does not work or "". */
    public Map<String, String> failures() {
        return failures;
    }
}
