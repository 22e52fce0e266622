package io.vtagent.record;

import io.vtagent.vm.PinnedStack;

/** Why the virtual thread could not unmount. */
public enum PinReason {
    /** It holds, or waits for, a monitor. */
    MONITOR("monitor"),
    /** A native frame is on its stack. */
    NATIVE("native"),
    /**
     * A class initializer is on its stack, or it waits for one. To the JVM the former is a native frame, from JDK 26 on a critical
     * section, so it takes a stack to tell.
     */
    CLASS_INIT("class_init"),
    /** It is in a critical section: the JVM has called a class loader, or the JDK forbids it ({@code Continuation.pin}). */
    CRITICAL_SECTION("critical_section"),
    /** The operation itself blocks the carrier, or the JVM could not unmount for want of memory. */
    NONE("none");

    private final String label;

    PinReason(String label) {
        this.label = label;
    }

    /** The value of the tag {@code reason}. */
    public String label() {
        return label;
    }

    /** What the JVM said, by the name of a constant of {@code jdk.internal.vm.Continuation.Pinned} or of this type. */
    static PinReason ofFailedYield(String pinned) {
        return switch (pinned) {
            case "MONITOR" -> MONITOR;
            case "NATIVE" -> NATIVE;
            case "CLASS_INIT" -> CLASS_INIT;
            case "CRITICAL_SECTION" -> CRITICAL_SECTION;
            default -> NONE;
        };
    }

    /** This reason, made more precise by the stack. */
    PinReason refinedBy(PinnedStack stack) {
        boolean vague = this == NATIVE || this == CRITICAL_SECTION;
        return vague && stack.cause() == PinnedStack.Cause.CLASS_INIT ? CLASS_INIT : this;
    }
}
