package io.vtagent.site;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Finds the public API that blocked among the JDK's frames at the top of a stack. This is the
 * outermost one, which the application called, or the class loader that the JVM called. The stream
 * classes of {@code java.io} only pass a call on, so one of them is named only if there is no other
 * API. If there is no public API, the outermost method of the JDK is named. Not thread-safe.
 */
final class BlockingCall {
    /** The operation of a stack without a call into the JDK: a contended {@code synchronized}. */
    static final String NO_CALL = "synchronized";

    private @Nullable String outermost;
    private @Nullable String innermostStream;
    private @Nullable String outermostInternal;
    private boolean ended;

    /** Adds the next frame of the JDK, going outward. */
    void enclosedBy(Class<?> type, String method) {
        ended |=
                startsTask(type, method) || (isFound() && ClassLoader.class.isAssignableFrom(type));
        if (ended || ReflectiveFrames.isOne(type.getName(), method)) {
            return;
        }
        Class<?> api = publicType(type, method);
        if (api == null) {
            outermostInternal = type.getName() + "." + method;
            return;
        }
        String operation = api.getName() + "." + method;
        if (!api.getPackageName().equals("java.io")) {
            outermost = operation;
        } else if (innermostStream == null) {
            innermostStream = operation;
        }
    }

    /**
     * Adds the next frame, going outward. Its method is native: it implements a call and is not an
     * API.
     */
    void enclosedByNative(Class<?> type, String method) {
        if (!ended && !ReflectiveFrames.isOne(type.getName(), method)) {
            outermostInternal = type.getName() + "." + method;
        }
    }

    String operation() {
        if (outermost != null) {
            return outermost;
        }
        if (innermostStream != null) {
            return innermostStream;
        }
        return outermostInternal == null ? NO_CALL : outermostInternal;
    }

    private boolean isFound() {
        return outermost != null || innermostStream != null;
    }

    /**
     * Returns whether this frame and those outward of it run the task rather than call the blocking
     * operation.
     */
    private static boolean startsTask(Class<?> type, String method) {
        return (method.equals("run") && Runnable.class.isAssignableFrom(type))
                || (method.equals("call") && Callable.class.isAssignableFrom(type));
    }

    private static @Nullable Class<?> publicType(Class<?> type, String method) {
        Class<?> outer = type;
        while (!isPublic(outer) && outer.getEnclosingClass() != null) {
            outer = outer.getEnclosingClass();
        }
        if (isPublic(outer)) {
            return outer;
        }
        for (Class<?> parent = type.getSuperclass();
                parent != null;
                parent = parent.getSuperclass()) {
            if (isPublic(parent) && declares(parent, method)) {
                return parent;
            }
        }
        return null;
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && type.getModule().isExported(type.getPackageName());
    }

    private static boolean declares(Class<?> type, String method) {
        for (Method candidate : type.getDeclaredMethods()) {
            if (candidate.getName().equals(method)) {
                return true;
            }
        }
        return false;
    }
}
