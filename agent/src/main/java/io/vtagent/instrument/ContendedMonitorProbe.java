package io.vtagent.instrument;

/** Enters a monitor as an application does. This is the only class of the agent that is wrapped. */
final class ContendedMonitorProbe {
    private ContendedMonitorProbe() {}

    /** Loads this class, so that the virtual thread of the test does not have to. */
    static void load() {}

    static void enter() {
        synchronized (SelfTest.MONITOR) {
            Thread.onSpinWait();
        }
    }
}
