package io.vtagent.pin;

import io.vtagent.site.PinnedStack;

/** The reason why the virtual thread could not unmount. */
public enum PinReason {
    /** The thread holds a monitor or waits for one. */
    MONITOR("monitor"),
    /** A native frame is on the thread's stack. */
    NATIVE("native"),
    /**
     * A class initializer is on the thread's stack, or the thread waits for one. The JVM reports an
     * initializer as a native frame, from JDK 26 on as a critical section, so only the stack shows
     * the difference.
     */
    CLASS_INIT("class_init"),
    /**
     * The thread is in a critical section: the JVM has called a class loader or links a class, or
     * the JDK forbids unmounting ({@code Continuation.pin}).
     */
    CRITICAL_SECTION("critical_section"),
    /**
     * The operation itself blocks the carrier, or the JVM could not unmount the thread for lack of
     * memory.
     */
    NONE("none");

    private final String label;

    PinReason(String label) {
        this.label = label;
    }

    /** The value of the tag {@code reason}. */
    public String label() {
        return label;
    }

    /**
     * Returns the reason that the JVM reported.
     *
     * @param pinned the name of a constant of {@code jdk.internal.vm.Continuation.Pinned} or of
     *     this type
     */
    public static PinReason ofFailedYield(String pinned) {
        return switch (pinned) {
            case "MONITOR" -> MONITOR;
            case "NATIVE" -> NATIVE;
            case "CLASS_INIT" -> CLASS_INIT;
            case "CRITICAL_SECTION" -> CRITICAL_SECTION;
            default -> NONE;
        };
    }

    /** Returns this reason, or a more precise one that {@code stack} shows. */
    public PinReason refinedBy(PinnedStack stack) {
        boolean vague = this == NATIVE || this == CRITICAL_SECTION;
        return vague && stack.cause() == PinnedStack.Cause.CLASS_INIT ? CLASS_INIT : this;
    }
}
