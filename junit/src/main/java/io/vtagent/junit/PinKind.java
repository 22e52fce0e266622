package io.vtagent.junit;

import java.util.Locale;

/** The kind of a pin: what a virtual thread was doing while it held its carrier. */
public enum PinKind {
    /** Parked: sleep, socket I/O, locks, queues. */
    PARK,
    /** In {@code Object.wait}. */
    WAIT,
    /** Waiting to enter a contended monitor. */
    ENTER,
    /** Waiting until another thread has initialized a class. */
    CLASS_INIT,
    /** In an operation in which the JDK cannot unmount a thread: file I/O, DNS. */
    IO,
    /** Blocked in native code. Sampled. */
    NATIVE,
    /** Off-CPU inside the JVM itself. Sampled. */
    JVM;

    /** Returns the name that the agent uses. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    static PinKind of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}
