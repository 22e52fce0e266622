package io.vtagent.vm;

/** What of a method handle has to be over before a hook calls it. */
final class HandleCalls {
    /**
     * So often each is called by a thread of the agent. The first call links it, and after some the JDK makes a class for it
     * (java.lang.invoke.Invokers.maybeCustomize, MethodHandleStatics.CUSTOMIZE_THRESHOLD: 127); up to JDK 23 both can park, for the lock of
     * the queue by which method types are forgotten.
     */
    static final int TO_SETTLE = 200;

    private HandleCalls() {}
}
