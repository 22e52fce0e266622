package io.vtagent.vm;

import org.jspecify.annotations.Nullable;

/** Tells the JDK's own classes from those of the application and its libraries: they are in its modules. */
public final class Platform {
    private static final ClassLoader LOADER = ClassLoader.getPlatformClassLoader();

    private Platform() {}

    /** Whether {@code type} is part of the JDK. */
    public static boolean owns(Class<?> type) {
        return ownsModule(type.getModule().getName());
    }

    /** Whether the class of {@code frame} is part of the JDK. */
    public static boolean owns(StackTraceElement frame) {
        return ownsModule(frame.getModuleName());
    }

    /** Whether the module of that name is part of the JDK; null or empty is of classes without a named one. */
    public static boolean ownsModule(@Nullable String module) {
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    /** Whether {@code loader} loads the JDK, and nothing of the application: the boot loader (null) and the platform loader. */
    public static boolean ownsLoader(@Nullable ClassLoader loader) {
        return loader == null || loader == LOADER;
    }

    /**
     * The JDK's class of that name, found without the application's class loaders, whose code is not ours to run. One of {@code java.*} is
     * the same to all of them; of another name they may know another class.
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
