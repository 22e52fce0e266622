package io.vtagent.vm;

import org.jspecify.annotations.Nullable;

/** Tells the JDK's own classes from those of the application and its libraries. */
public final class Platform {
    private static final ClassLoader LOADER = ClassLoader.getPlatformClassLoader();

    private Platform() {}

    /** Whether {@code type} is part of the JDK. */
    public static boolean owns(Class<?> type) {
        String module = type.getModule().getName();
        return ownsLoader(type.getClassLoader())
                || (module != null && (module.startsWith("java.") || module.startsWith("jdk.")));
    }

    /** Whether {@code loader} loads nothing but the JDK: the boot loader (null) and the platform loader. */
    public static boolean ownsLoader(@Nullable ClassLoader loader) {
        return loader == null || loader == LOADER;
    }
}
