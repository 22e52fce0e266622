package io.vtagent.it.workload;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Another agent, whose transformer changes nothing; by being there it has the JVM hand out the
 * classes as it loads them.
 */
public final class SecondAgent {
    private static @Nullable Instrumentation instrumentation;

    private SecondAgent() {}

    /** Called by the JVM. */
    public static void premain(@Nullable String arguments, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            @Nullable ClassLoader loader,
                            @Nullable String className,
                            @Nullable Class<?> redefined,
                            @Nullable ProtectionDomain domain,
                            byte[] classFile) {
                        return className != null && className.startsWith("Needy")
                                ? classFile.clone()
                                : null;
                    }
                },
                true);
    }

    static Instrumentation instrumentation() {
        if (instrumentation == null) {
            throw new IllegalStateException("the agent was not started");
        }
        return instrumentation;
    }
}
