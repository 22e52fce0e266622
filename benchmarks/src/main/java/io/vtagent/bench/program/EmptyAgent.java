package io.vtagent.bench.program;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import org.jspecify.annotations.Nullable;

/**
 * A no-op agent. The JVM has a cost for any agent: from then on it keeps JVM TI informed of each
 * mount and unmount of a virtual thread (JDK-8330969), unless {@code
 * -XX:-DoJVMTIVirtualThreadTransitions} is given.
 *
 * <p>Its arguments turn it into a baseline for other costs of the JVM:
 *
 * <ul>
 *   <li>{@code transformer}: it has a no-op transformer.
 *   <li>{@code retransform}: it retransforms {@code java.lang.VirtualThread} to the same bytes.
 * </ul>
 */
public final class EmptyAgent {
    private EmptyAgent() {}

    /** Called in a JVM that runs. */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation)
            throws ReflectiveOperationException, UnmodifiableClassException {
        premain(arguments, instrumentation);
    }

    /** Called before {@code main}. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation)
            throws ReflectiveOperationException, UnmodifiableClassException {
        if (arguments == null) {
            return;
        }
        if (arguments.equals("transformer")) {
            instrumentation.addTransformer(new ClassFileTransformer() {});
        } else if (arguments.equals("retransform")) {
            instrumentation.retransformClasses(Class.forName("java.lang.VirtualThread"));
        }
    }
}
