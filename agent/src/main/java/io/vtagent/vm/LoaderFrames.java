package io.vtagent.vm;

import java.lang.StackWalker.StackFrame;

/**
 * Finds class loaders at work. Where the JVM has called one, since code that runs for the first time refers to a class, the thread
 * cannot unmount until the loader has returned, on any JDK (JEP 491, "Future Work"). Whether it was the JVM that called {@code
 * loadClass}, or the application, is nothing that a stack tells.
 */
public final class LoaderFrames {
    private static final String METHOD = "loadClass";

    private LoaderFrames() {}

    /** Whether this is the method of a class loader that the JVM calls. */
    static boolean isCall(StackFrame frame) {
        return frame.getMethodName().equals(METHOD) && isOfLoader(frame);
    }

    static boolean isOfLoader(StackFrame frame) {
        return ClassLoader.class.isAssignableFrom(frame.getDeclaringClass());
    }

    /** As {@link #isCall(String)}, of the frame's class and method. */
    public static boolean isCall(StackTraceElement frame) {
        return isCall(frame.getClassName() + '.' + frame.getMethodName());
    }

    /**
     * Whether this is the method of a class loader that the JVM calls, by names alone.
     *
     * @param method as {@code class.method}; one whose name goes on, such as {@code loadClassOrNull}, is a step of it
     */
    public static boolean isCall(String method) {
        int dot = method.lastIndexOf('.');
        return dot >= 0 && method.startsWith(METHOD, dot + 1) && isLoader(method.substring(0, dot));
    }

    /** Class loaders are named so by convention; those of Tomcat's web applications inherit from {@code WebappClassLoaderBase}. */
    private static boolean isLoader(String type) {
        return type.endsWith("Loader") || type.endsWith("LoaderBase");
    }
}
