package io.vtagent.jvm;

/** Settling of method handles, which must be complete before a hook calls them. */
public final class HandleCalls {
    /**
     * The number of calls that a thread of the agent makes to each method handle. The first call
     * links the handle, and after more calls the JDK makes a class for it
     * (java.lang.invoke.Invokers.maybeCustomize, MethodHandleStatics.CUSTOMIZE_THRESHOLD: 127). Up
     * to JDK 23 both can park, to wait for the lock of the reference queue of method types.
     */
    public static final int TO_SETTLE = 200;

    private HandleCalls() {}
}
