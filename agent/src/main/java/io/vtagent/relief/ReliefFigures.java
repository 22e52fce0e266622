package io.vtagent.relief;

/** The figures of relief so far. Thread-safe. */
public interface ReliefFigures {
    /** Returns whether held carriers are compensated at all. */
    default boolean isOn() {
        return true;
    }

    /** Returns how many carriers the scheduler added because relief asked it to compensate. */
    long added();

    /** Returns how many pins were compensated and have ended. */
    long pins();

    /** Returns the compensated carrier time of pins that have ended, in nanoseconds. */
    long nanos();
}
