package io.vtagent.record;

/** What the virtual thread was doing while it held its carrier. */
public enum PinKind {
    /** Parked: sleep, socket I/O, locks, queues. */
    PARK("park"),
    /** In {@code Object.wait}. */
    WAIT("wait"),
    /** Waiting to enter a contended monitor. */
    ENTER("enter"),
    /** In an operation that the JDK brackets with {@code jdk.internal.misc.Blocker}: file I/O, DNS. */
    IO("io"),
    /** Waiting until another thread has initialized a class. */
    CLASS_INIT("class_init"),
    /** Blocked in native code that nothing brackets. Sampled. */
    NATIVE("native"),
    /** Asleep inside the JVM itself, which made it wait: while JVMTI stops mounts, or a class is loaded. Sampled. */
    JVM("jvm");

    private final String label;

    PinKind(String label) {
        this.label = label;
    }

    /** The value of the tag {@code kind}. */
    public String label() {
        return label;
    }
}
