package io.vtagent.bench;

import java.lang.instrument.Instrumentation;

/**
 * An agent that does nothing. The JVM takes its price for having one at all: from then on it keeps JVM TI informed of each mount
 * and unmount of a virtual thread (JDK-8330969), unless {@code -XX:-DoJVMTIVirtualThreadTransitions} says otherwise.
 */
public final class EmptyAgent {
    private EmptyAgent() {}

    /** Called before {@code main}. */
    public static void premain(String arguments, Instrumentation instrumentation) {}
}
