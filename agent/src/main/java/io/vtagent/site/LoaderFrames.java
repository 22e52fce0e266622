package io.vtagent.site;

import java.lang.StackWalker.StackFrame;

/**
 * Recognizes frames of class loaders. The JVM calls a class loader when code that runs for the
 * first time refers to a class. The thread then cannot unmount until the loader returns, on any JDK
 * (JEP 491, "Future Work"). A stack does not show whether the JVM or the application called {@code
 * loadClass}.
 */
public final class LoaderFrames {
    private static final String METHOD = "loadClass";

    private LoaderFrames() {}

    /** Returns whether this is the class loader's method that the JVM calls. */
    static boolean isCall(StackFrame frame) {
        return frame.getMethodName().equals(METHOD) && isOfLoader(frame);
    }

    static boolean isOfLoader(StackFrame frame) {
        return ClassLoader.class.isAssignableFrom(frame.getDeclaringClass());
    }

    /** Applies {@link #isCall(String)} to the frame's class and method. */
    public static boolean isCall(StackTraceElement frame) {
        return isCall(frame.getClassName() + '.' + frame.getMethodName());
    }

    /** Returns whether the frame's class is a class loader, judged by its name alone. */
    public static boolean isOfLoader(StackTraceElement frame) {
        return isLoader(frame.getClassName());
    }

    /**
     * Returns whether this is the class loader's method that the JVM calls, judged by names alone.
     *
     * @param method as {@code class.method}; a longer name, such as {@code loadClassOrNull}, is a
     *     step of that call and counts too
     */
    public static boolean isCall(String method) {
        int dot = method.lastIndexOf('.');
        return dot >= 0 && method.startsWith(METHOD, dot + 1) && isLoader(method.substring(0, dot));
    }

    /**
     * Returns whether the class of this name is a class loader. By convention such names end in
     * {@code Loader}; the loaders of Tomcat's web applications inherit from {@code
     * WebappClassLoaderBase}.
     */
    public static boolean isLoader(String type) {
        return type.endsWith("Loader") || type.endsWith("LoaderBase");
    }
}
