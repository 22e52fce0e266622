package io.vtagent.junit;

import java.util.Locale;

/** What a virtual thread was doing while it held its carrier. */
public enum PinKind {
    /** Parked: sleep, socket I/O, locks, queues. */
    PARK,
    /** In {@code Object.wait}. */
    WAIT,
    /** Waiting to enter a contended monitor. */
    ENTER,
    /** Waiting until another thread has initialized a class. */
    CLASS_INIT,
    /** In an operation that the JDK cannot park: file I/O, DNS. */
    IO,
    /** Blocked in native code. Sampled. */
    NATIVE,
    /** Asleep inside the JVM itself. Sampled. */
    JVM;

    /** As the agent calls it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    static PinKind of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}
