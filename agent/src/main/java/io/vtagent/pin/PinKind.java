package io.vtagent.pin;

/** The kind of operation in which a virtual thread held its carrier. */
public enum PinKind {
    /** Parked: sleep, socket I/O, locks, queues. */
    PARK("park"),
    /** In {@code Object.wait}. */
    WAIT("wait"),
    /** Waiting to enter a contended monitor. */
    ENTER("enter"),
    /**
     * In an operation that the JDK brackets with {@code jdk.internal.misc.Blocker}: file I/O, DNS.
     */
    IO("io"),
    /** In a class-initialization wait: another thread initializes the class. */
    CLASS_INIT("class_init"),
    /** Blocked in native code that the JDK does not bracket. Sampled. */
    NATIVE("native"),
    /**
     * Sleeping inside the JVM, which made it wait, for example while JVMTI disables mounting or a
     * class is loaded. Sampled.
     */
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
