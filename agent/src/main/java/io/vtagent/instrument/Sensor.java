package io.vtagent.instrument;

/** A kind of hook by which the agent detects pins. */
public enum Sensor {
    PARK("park"),
    WAIT("wait"),
    ENTER("enter"),
    IO("io");

    private final String label;

    Sensor(String label) {
        this.label = label;
    }

    /** Returns the value of the tag {@code sensor}. */
    public String label() {
        return label;
    }
}
