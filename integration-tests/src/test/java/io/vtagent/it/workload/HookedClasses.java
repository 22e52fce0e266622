package io.vtagent.it.workload;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Prints, through {@link SecondAgent}, what the agents before have made of the classes of the JDK's
 * that this agent changes.
 */
public final class HookedClasses {
    private static final String[] NAMES = {
        "java.lang.Object",
        "java.lang.VirtualThread",
        "java.lang.VirtualThread$VThreadContinuation",
        "java.util.concurrent.ForkJoinPool",
        "jdk.internal.misc.Blocker"
    };

    private HookedClasses() {}

    public static void main(String[] arguments)
            throws ClassNotFoundException, UnmodifiableClassException {
        Map<String, Integer> hashes = new TreeMap<>();
        Instrumentation instrumentation = SecondAgent.instrumentation();
        ClassFileTransformer reading =
                new ClassFileTransformer() {
                    @Override
                    public byte @Nullable [] transform(
                            @Nullable ClassLoader loader,
                            @Nullable String className,
                            @Nullable Class<?> redefined,
                            @Nullable ProtectionDomain domain,
                            byte[] classFile) {
                        if (className != null
                                && Arrays.asList(NAMES).contains(className.replace('/', '.'))) {
                            hashes.put(className, Arrays.hashCode(classFile));
                        }
                        return null;
                    }
                };
        instrumentation.addTransformer(reading, true);
        for (String name : NAMES) {
            instrumentation.retransformClasses(Class.forName(name));
        }
        instrumentation.removeTransformer(reading);
        WorkloadConsole.fact("hashes", hashes);
        WorkloadConsole.done();
    }
}
