package io.vtagent.relief;

/** What relief has done so far. Thread-safe. */
public interface ReliefFigures {
    /** Whether anything is made up for at all. */
    default boolean isOn() {
        return true;
    }

    /** Carriers that the scheduler added when relief asked it to make up for one. */
    long added();

    /** Pins that were made up for and have ended. */
    long pins();

    /** Carrier time that was made up for, of pins that have ended, in nanoseconds. */
    long nanos();
}
