package io.vtagent.instrument;

/** What the agent listens to. */
public enum Sensor {
    PARK("park"),
    WAIT("wait"),
    ENTER("enter"),
    IO("io");

    private final String label;

    Sensor(String label) {
        this.label = label;
    }

    /** The value of the tag {@code sensor}. */
    public String label() {
        return label;
    }
}
