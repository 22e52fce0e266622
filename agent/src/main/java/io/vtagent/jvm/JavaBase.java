package io.vtagent.jvm;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Opens the parts of the JDK that the agent reads to the agent's own class loader only. */
public final class JavaBase {
    private JavaBase() {}

    /** Must have been called before any other class of this package is used. */
    public static void open(Instrumentation instrumentation) {
        Set<Module> self = Set.of(JavaBase.class.getModule());
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(
                        "jdk.internal.access", self,
                        "jdk.internal.misc", self,
                        "jdk.internal.perf", self,
                        "jdk.internal.reflect", self,
                        "jdk.internal.vm", self),
                Map.of(
                        "java.lang", self,
                        "java.util.concurrent", self,
                        "java.util.concurrent.locks", self,
                        "jdk.internal.loader", self,
                        "jdk.internal.misc", self,
                        "jdk.internal.vm", self,
                        "sun.nio.fs", self),
                Set.of(),
                Map.of());
        Optional<Module> management = ModuleLayer.boot().findModule("java.management");
        if (management.isPresent()) {
            instrumentation.redefineModule(
                    management.get(),
                    Set.of(),
                    Map.of(),
                    Map.of("sun.management", self),
                    Set.of(),
                    Map.of());
        }
    }

    /**
     * Defines a class of the package {@code java.lang} into {@code java.base}.
     *
     * @throws IllegalAccessException if {@link #open} was not called
     * @throws LinkageError if the class is defined already
     */
    public static void define(byte[] classFile) throws IllegalAccessException {
        MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup()).defineClass(classFile);
    }
}
