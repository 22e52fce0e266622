package io.vtagent.site;

import org.jspecify.annotations.Nullable;

/**
 * Recognizes the JDK's own classes, which are in the JDK's modules, among those of the application
 * and its libraries.
 */
public final class JdkCode {
    private static final ClassLoader LOADER = ClassLoader.getPlatformClassLoader();

    private JdkCode() {}

    /** Returns whether {@code type} is part of the JDK. */
    public static boolean owns(Class<?> type) {
        return ownsModule(type.getModule().getName());
    }

    /** Returns whether the class of {@code frame} is part of the JDK. */
    public static boolean owns(StackTraceElement frame) {
        return ownsModule(frame.getModuleName());
    }

    /**
     * Returns whether the module of this name is part of the JDK. Classes without a named module
     * have null or an empty name.
     */
    public static boolean ownsModule(@Nullable String module) {
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    /**
     * Returns whether {@code loader} loads only the JDK and nothing of the application: the boot
     * loader (null) or the platform loader.
     */
    public static boolean ownsLoader(@Nullable ClassLoader loader) {
        return loader == null || loader == LOADER;
    }

    /**
     * Returns the JDK's class of this name. The search does not run the application's class
     * loaders, whose code the agent must not run. A class in {@code java.*} is the same in all
     * loaders; for any other name the application's loaders may have a different class.
     *
     * @return null if there is none
     */
    public static @Nullable Class<?> find(String className) {
        try {
            return Class.forName(className, false, LOADER);
        } catch (ClassNotFoundException | LinkageError none) {
            return null;
        }
    }
}
