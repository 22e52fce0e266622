package io.vtagent.vm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stack of a thread that was taken from outside, where the JDK tells no monitors: its innermost frame holds the
 * carrier. Thread-safe.
 */
public final class SnapshotStack {
    /** The operation of a stack that blocks in native code of the application or of a library. */
    private static final String NATIVE_CALL = "native code";
    /** The operation of a stack that waits for a class to be initialized. */
    private static final String INITIALIZATION = "class initialization";

    private SnapshotStack() {}

    /** {@code frames} as those of a thread that waits to enter a monitor of {@code monitorClass}. */
    public static HeldStack entering(List<StackTraceElement> frames, int depth, @Nullable String monitorClass) {
        return read(frames, depth, HeldStack.Cause.MONITOR, monitorClass, BlockingCall.NO_CALL);
    }

    /** {@code frames} as those of a thread that waits until another has initialized {@code className}, if that is known. */
    public static HeldStack initializing(List<StackTraceElement> frames, int depth, @Nullable String className) {
        return read(frames, depth, HeldStack.Cause.CLASS_INIT, className, INITIALIZATION);
    }

    /** {@code frames} as those of a thread that blocks in native code. */
    public static HeldStack inNativeCode(List<StackTraceElement> frames, int depth) {
        return read(frames, depth, HeldStack.Cause.NATIVE, null, NATIVE_CALL);
    }

    /** Why a thread with these frames cannot unmount where monitors do not pin. */
    public static HeldStack.Cause nativeCauseIn(List<StackTraceElement> frames) {
        for (StackTraceElement frame : frames) {
            if (frame.getMethodName().equals("<clinit>")) {
                return HeldStack.Cause.CLASS_INIT;
            }
            if (frame.isNativeMethod()) {
                return HeldStack.Cause.NATIVE;
            }
        }
        return HeldStack.Cause.NONE;
    }

    private static HeldStack read(
            List<StackTraceElement> stack,
            int depth,
            HeldStack.Cause cause,
            @Nullable String objectClass,
            String operationOfApplication) {
        BlockingCall call = new BlockingCall();
        List<String> kept = new ArrayList<>();
        StackTraceElement holder = null;
        StackTraceElement firstOfApplication = null;
        for (StackTraceElement frame : stack) {
            if (isProbe(frame.getClassName())) {
                continue;
            }
            if (firstOfApplication == null && !isJdk(frame)) {
                firstOfApplication = frame;
            }
            if (firstOfApplication == null) {
                Class<?> type = find(frame.getClassName());
                if (type != null) {
                    call.enclosedBy(type, frame.getMethodName());
                }
            }
            if (holder == null) {
                holder = frame;
            }
            if (kept.size() < depth) {
                kept.add(frame.toString());
            }
        }
        boolean heldByJdk = holder != null && isJdk(holder);
        return new HeldStack(
                kept,
                holder == null ? -1 : 0,
                holder == null ? "?.?:?" : location(holder),
                cause,
                objectClass,
                heldByJdk ? call.operation() : operationOfApplication,
                heldByJdk && firstOfApplication != null ? location(firstOfApplication) : null,
                null,
                Map.of());
    }

    /** The frame as {@code class.method:line}, {@code ?} for an unknown line. */
    public static String location(StackTraceElement frame) {
        int line = frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + ":" + (line > 0 ? Integer.toString(line) : "?");
    }

    /** Whether these are frames of a thread that does the agent's work: a sensor has noticed a pin, and looks at its stack. */
    public static boolean isAgents(List<StackTraceElement> frames) {
        return frames.stream().anyMatch(frame -> isProbe(frame.getClassName()));
    }

    static boolean isProbe(String className) {
        return className.startsWith("java.lang.VtAgent");
    }

    private static boolean isJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    private static @Nullable Class<?> find(String jdkClass) {
        try {
            return Class.forName(jdkClass, false, ClassLoader.getPlatformClassLoader());
        } catch (ClassNotFoundException | LinkageError hidden) {
            return null;
        }
    }
}
