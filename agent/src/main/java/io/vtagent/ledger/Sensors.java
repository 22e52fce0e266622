package io.vtagent.ledger;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The state of the sensors by label: working, or the reason why not. Thread-safe. */
public final class Sensors {
    /** The reason of a sensor that has not been proved yet. */
    public static final String NOT_PROVED_YET = "not proved yet";

    /** The reason of a sensor that is needed and starts. */
    public static final String NOT_BEGUN_YET = "has not begun";

    private volatile Map<String, String> failures = Map.of();

    /** Sets the state of {@code sensor}; {@code failure} is empty if it works. */
    public synchronized void put(String sensor, String failure) {
        Map<String, String> changed = new LinkedHashMap<>(failures);
        changed.put(sensor, failure);
        failures = Collections.unmodifiableMap(changed);
    }

    /** Returns whether {@code sensor} works. */
    public boolean isUp(String sensor) {
        return "".equals(failures.get(sensor));
    }

    /** Returns whether it is not known yet if {@code sensor} works. */
    public boolean isToBeProved(String sensor) {
        return NOT_PROVED_YET.equals(failures.get(sensor));
    }

    /** Returns whether a sensor with that reason may still work. */
    public static boolean isStarting(String failure) {
        return failure.equals(NOT_PROVED_YET) || failure.equals(NOT_BEGUN_YET);
    }

    /** Returns {@code sensor} and, unless it works, its problem. */
    public String inWords(String sensor) {
        String failure = failures.getOrDefault(sensor, "");
        return failure.isEmpty()
                ? sensor
                : isToBeProved(sensor)
                        ? sensor + " is " + failure
                        : sensor + " is down (" + failure + ")";
    }

    /**
     * Returns the sensors that this JVM needs, in the order in which they were added, each with the
     * reason why it does not work, or "".
     */
    public Map<String, String> failures() {
        return failures;
    }
}
