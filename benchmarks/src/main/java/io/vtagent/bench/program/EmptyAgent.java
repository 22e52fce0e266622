package io.vtagent.bench.program;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An agent that does nothing. The JVM takes its price for having one at all: from then on it keeps
 * JVM TI informed of each mount and unmount of a virtual thread (JDK-8330969), unless {@code
 * -XX:-DoJVMTIVirtualThreadTransitions} says otherwise.
 *
 * <p>Its arguments make it one that shows what else is the JVM's price:
 *
 * <ul>
 *   <li>{@code transformer}: it is asked about each class and changes none.
 *   <li>{@code retransform}: it gives the JVM {@code java.lang.VirtualThread} once more, as it is.
 *   <li>{@code record=FILE}, behind vt-agent: it writes down what that makes of the classes ({@link
 *       ReadyClasses}).
 *   <li>{@code replay=FILE}: it does the same to them, and has it ready.
 * </ul>
 */
public final class EmptyAgent {
    private static final String RECORD = "record=";
    private static final String REPLAY = "replay=";

    private EmptyAgent() {}

    /** Called in a JVM that runs. */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation)
            throws IOException, ReflectiveOperationException, UnmodifiableClassException {
        premain(arguments, instrumentation);
    }

    /** Called before {@code main}. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation)
            throws IOException, ReflectiveOperationException, UnmodifiableClassException {
        if (arguments == null) {
            return;
        }
        if (arguments.equals("transformer")) {
            instrumentation.addTransformer(new ClassFileTransformer() {});
        } else if (arguments.equals("retransform")) {
            instrumentation.retransformClasses(Class.forName("java.lang.VirtualThread"));
        } else if (arguments.startsWith(RECORD)) {
            Path file = Path.of(arguments.substring(RECORD.length()));
            // one that may retransform comes after vt-agent's, which may as well
            instrumentation.addTransformer(ReadyClasses.recorder(file), true);
        } else if (arguments.startsWith(REPLAY)) {
            instrumentation.addTransformer(
                    ReadyClasses.read(Path.of(arguments.substring(REPLAY.length()))).replayer());
        }
    }
}
