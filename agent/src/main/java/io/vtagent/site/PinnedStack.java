package io.vtagent.site;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stack of a virtual thread that holds its carrier, read by {@link MonitorStackWalker} or
 * {@link SnapshotStack}.
 *
 * @param frames the frames as {@link StackTraceElement} prints them, the innermost first, without
 *     the agent's own
 * @param holderIndex the index in {@code frames} of the holder, which keeps the thread from
 *     unmounting; -1 if it lies deeper or there is none
 * @param holder the holder as {@code class.method:line}, with {@code ?} for an unknown line
 * @param cause the reason why this frame is the holder
 * @param monitorClass the class of the monitor that the holder has or waits for, if it is known; in
 *     a class-initialization wait, the class that is initialized
 * @param operation the public API that blocked, as {@code class.method}
 * @param caller the nearest frame of interest to the user ({@link FramesOfInterest}) from the
 *     holder outward; null if this is the holder itself
 * @param nativeFrame the native frame, class initializer or class loader that is also on the stack,
 *     as {@code class.method:line}, if the holder has or wants a monitor or is the call itself;
 *     this frame holds the carrier where the holder does not
 * @param monitors the monitors that frames hold, by the frame's text in {@code frames}
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
     * The stack of a thread of the application on which the agent works ({@link
     * SnapshotStack#isAgents}).
     */
    public static final PinnedStack AGENTS =
            new PinnedStack(List.of(), -1, "", Cause.NONE, null, "", null, null, Map.of());

    /**
     * The monitors that a frame holds.
     *
     * @param classes their classes, the newest monitor first; a monitor that the frame waits to
     *     enter comes before them
     * @param keptByWait the classes of those that the thread keeps while it is in {@code
     *     Object.wait} on another object or waits to enter another monitor
     */
    public record Monitors(String classes, @Nullable String keptByWait) {
        /**
         * Returns these monitors, preceded by one of {@code className} that the frame waits to
         * enter.
         */
        Monitors andEntered(String className) {
            return new Monitors(className + ", " + classes, keptByWait);
        }

        private String mark() {
            return "  <== monitor: "
                    + classes
                    + (keptByWait == null ? "" : "; the wait keeps " + keptByWait);
        }
    }

    /** The reason why a frame keeps the thread from unmounting. */
    public enum Cause {
        /** The frame holds a monitor. */
        MONITOR,
        /** The frame runs native code that called back into Java. */
        NATIVE,
        /** The frame is a class initializer, which the JVM calls from native code. */
        CLASS_INIT,
        /** The frame is a class loader that the JVM called to link a class. */
        CLASS_LOADER,
        /** No frame keeps the thread; the holder is the first frame of the application. */
        NONE
    }

    /**
     * Returns this stack with {@code className} as the class of its monitor, or as the class that
     * it waits for. A class that is already known is kept.
     */
    public PinnedStack withMonitor(String className) {
        return monitorClass == null ? with(className, nativeFrame) : this;
    }

    /** Returns this stack with {@code frame} as its {@link #nativeFrame()}. */
    PinnedStack withNativeFrame(@Nullable String frame) {
        return with(monitorClass, frame);
    }

    private PinnedStack with(@Nullable String newMonitorClass, @Nullable String newNativeFrame) {
        return new PinnedStack(
                frames,
                holderIndex,
                holder,
                cause,
                newMonitorClass,
                operation,
                caller,
                newNativeFrame,
                monitors);
    }

    /**
     * Returns the mark that is printed after the frame at {@code index} of {@link #frames}; empty
     * if the frame holds nothing.
     */
    public String mark(int index) {
        String held = markOfMonitors(frames.get(index));
        return held.isEmpty() && index == holderIndex ? mark() : held;
    }

    /**
     * Returns the mark for the monitors that {@code frame}, a text in {@link #frames}, holds; empty
     * if there are none.
     */
    public String markOfMonitors(String frame) {
        Monitors held = monitors.get(frame);
        return held == null ? "" : held.mark();
    }

    /** Returns the mark that is printed after the holder's frame. */
    public String mark() {
        return switch (cause) {
            case MONITOR ->
                    monitorClass == null ? "  <== monitor" : "  <== monitor: " + monitorClass;
            case NATIVE -> "  <== native frame";
            case CLASS_INIT -> "  <== class initializer";
            case CLASS_LOADER -> "  <== class loader";
            case NONE -> "";
        };
    }
}
