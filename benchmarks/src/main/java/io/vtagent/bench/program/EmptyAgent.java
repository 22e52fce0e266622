package io.vtagent.bench.program;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * An agent that does nothing. The JVM takes its price for having one at all: from then on it keeps JVM TI informed of each mount
 * and unmount of a virtual thread (JDK-8330969), unless {@code -XX:-DoJVMTIVirtualThreadTransitions} says otherwise.
 */
public final class EmptyAgent {
    private EmptyAgent() {}

    /** Called in a JVM that runs. */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
        premain(arguments, instrumentation);
    }

    /**
     * Called before {@code main}.
     *
     * @param arguments {@code transformer} for one that is asked about each class and changes none
     */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        if ("transformer".equals(arguments)) {
            instrumentation.addTransformer(new ClassFileTransformer() {});
        }
    }
}
