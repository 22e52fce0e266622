package io.vtagent.vm;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stack of a virtual thread that holds its carrier, read by {@link MonitorStackWalker} or {@link SnapshotStack}.
 *
 * @param frames as {@link StackTraceElement} prints them, the innermost first, without the agent's own
 * @param holderIndex the frame in {@code frames} that keeps the thread from unmounting, or -1 if it lies deeper or there is none
 * @param holder that frame as {@code class.method:line}, {@code ?} for an unknown line
 * @param cause what makes it the holder
 * @param monitorClass the class of the monitor that the holder has or waits for, if it is known; where it waits for a class to be
 *     initialized, that class
 * @param operation the public API that blocked, as {@code class.method}
 * @param caller the application's frame that called the holder, if the holder is the JDK's
 * @param nativeFrame if the holder has or wants a monitor, the native frame, class initializer or class loader that is on the stack as
 *     well, as {@code class.method:line}: it holds the carrier where monitors do not
 * @param monitors of the frames that hold any, as they are in {@code frames}: the classes of their monitors, the newest first
 */
public record HeldStack(
        List<String> frames,
        int holderIndex,
        String holder,
        Cause cause,
        @Nullable String monitorClass,
        String operation,
        @Nullable String caller,
        @Nullable String nativeFrame,
        Map<String, String> monitors) {

    /** What in a frame keeps the thread from unmounting. */
    public enum Cause {
        /** It holds a monitor. */
        MONITOR,
        /** It runs native code that called back into Java. */
        NATIVE,
        /** It is a class initializer, which the JVM calls from native code. */
        CLASS_INIT,
        /** It is a class loader that the JVM has called to link a class. */
        CLASS_LOADER,
        /** Nothing on the stack; the holder is the first frame of the application. */
        NONE
    }

    /** What the frame {@code index} of {@link #frames} is marked with when the stack is printed: nothing, if it holds nothing. */
    public String mark(int index) {
        String held = monitors.get(frames.get(index));
        if (held != null) {
            return "  <== monitor: " + held;
        }
        return index == holderIndex ? mark() : "";
    }

    /** What the holder's frame is marked with when the stack is printed. */
    public String mark() {
        return switch (cause) {
            case MONITOR -> monitorClass == null ? "  <== monitor" : "  <== monitor: " + monitorClass;
            case NATIVE -> "  <== native frame";
            case CLASS_INIT -> "  <== class initializer";
            case CLASS_LOADER -> "  <== class loader";
            case NONE -> "";
        };
    }
}
