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
 * @param caller the nearest frame from the holder outwards that is of interest to the user ({@link FramesOfInterest}), if that is not the
 *     holder itself
 * @param nativeFrame if the holder has or wants a monitor, the native frame, class initializer or class loader that is on the stack as
 *     well, as {@code class.method:line}: it holds the carrier where monitors do not
 * @param monitors those that frames hold, by frame as it is in {@code frames}
 */
public record PinnedStack(
        List<String> frames,
        int holderIndex,
        String holder,
        Cause cause,
        @Nullable String monitorClass,
        String operation,
        @Nullable String caller,
        @Nullable String nativeFrame,
        Map<String, Monitors> monitors) {

    /**
     * The monitors that a frame holds.
     *
     * @param classes theirs, the newest first, before them the one that the frame waits to enter
     * @param keptByWait those that the thread does not give up, since it is in {@code Object.wait} of another object, or waits to enter
     *     another monitor
     */
    public record Monitors(String classes, @Nullable String keptByWait) {
        /** These with {@code className} as that of the monitor which the frame waits to enter. */
        Monitors andEntered(String className) {
            return new Monitors(className + ", " + classes, keptByWait);
        }

        private String mark() {
            return "  <== monitor: " + classes + (keptByWait == null ? "" : "; the wait keeps " + keptByWait);
        }
    }

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

    /** This stack with {@code className} as that of its monitor, or of the class that it waits for, unless that is known. */
    public PinnedStack withMonitor(String className) {
        return monitorClass != null
                ? this
                : new PinnedStack(
                        frames, holderIndex, holder, cause, className, operation, caller, nativeFrame, monitors);
    }

    /** What the frame {@code index} of {@link #frames} is marked with when the stack is printed: nothing, if it holds nothing. */
    public String mark(int index) {
        String held = markOfMonitors(frames.get(index));
        return held.isEmpty() && index == holderIndex ? mark() : held;
    }

    /** What {@code frame}, as it is in {@link #frames}, is marked with for the monitors that it holds: nothing, if there are none. */
    public String markOfMonitors(String frame) {
        Monitors held = monitors.get(frame);
        return held == null ? "" : held.mark();
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
