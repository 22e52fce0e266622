package io.vtagent.diagnosis;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Site;
import io.vtagent.site.JdkCode;
import io.vtagent.site.LoaderFrames;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.SnapshotStack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A held carrier, as it was read.
 *
 * @param thread the virtual thread on it; null if it is blocked in a task that is no virtual thread
 * @param state of the carrier
 * @param pin what a sensor has recorded about it; null if no sensor has, or the pin has ended
 * @param frames of the thread or, if there is none, of the carrier, the innermost first
 */
record HeldCarrier(
        Thread carrier,
        @Nullable Thread thread,
        Thread.State state,
        @Nullable ActivePin pin,
        List<StackTraceElement> frames) {
    /** Returns the id of the thread that waits. */
    long id() {
        return thread == null ? carrier.threadId() : thread.threadId();
    }

    boolean isInTask() {
        return thread == null;
    }

    /** Returns whether only another thread can end its wait, which has no time limit. */
    boolean waitsForSignal() {
        return state == Thread.State.WAITING;
    }

    /** Returns whether the thread waits to enter a monitor. */
    boolean isEntering() {
        return state == Thread.State.BLOCKED;
    }

    boolean isInPoller() {
        return frames.stream().anyMatch(frame -> frame.getClassName().equals("sun.nio.ch.Poller"));
    }

    /**
     * Returns what keeps the thread on its carrier, as a phrase; null if neither a sensor nor the
     * stack shows it.
     */
    @Nullable String keeper() {
        PinnedStack stack = stack();
        if (stack != null && stack.cause() == PinnedStack.Cause.MONITOR) {
            return "behind a monitor";
        }
        for (int i = 1; i < frames.size(); i++) { // it blocks in the first frame
            StackTraceElement frame = frames.get(i);
            if (LoaderFrames.isCall(frame)) {
                return inLoader(i);
            }
            if (frame.isNativeMethod() || frame.getMethodName().equals("<clinit>")) {
                return "above a native frame or a class initializer";
            }
        }
        return null;
    }

    /**
     * Returns a phrase with the class loader and the line of the application that needs the class.
     * The stack does not show which class that is.
     */
    private String inLoader(int call) {
        int innermost = call;
        while (innermost > 0 && LoaderFrames.isOfLoader(frames.get(innermost - 1))) {
            innermost--;
        }
        int user = call;
        while (user < frames.size()
                && (LoaderFrames.isOfLoader(frames.get(user)) || JdkCode.owns(frames.get(user)))) {
            user++;
        }
        return "in the class loader `"
                + frames.get(innermost).getClassName()
                + "`"
                + (user == frames.size()
                        ? ""
                        : ", which loads a class for `"
                                + SnapshotStack.location(frames.get(user))
                                + "`");
    }

    private @Nullable PinnedStack stack() {
        Site site = pin == null ? null : pin.site();
        return site == null ? null : site.stack();
    }

    /**
     * Returns the site and the operation of its pin; without a site, the line that called the JDK
     * and the method that it called.
     */
    String place() {
        Site site = pin == null || thread == null ? null : pin.site();
        if (site != null) {
            return "`" + site.key().site() + "` in " + site.key().operation();
        }
        String line = lineOf(frames);
        return line == null ? "an unknown place" : line;
    }

    /**
     * Returns the line of a stack that called the JDK and the method that it called. If there is no
     * such line, returns the innermost frame; null if the stack is empty.
     */
    static @Nullable String lineOf(List<StackTraceElement> frames) {
        int caller = 0;
        while (caller < frames.size() && JdkCode.owns(frames.get(caller))) {
            caller++;
        }
        if (caller > 0 && caller < frames.size()) {
            StackTraceElement called = frames.get(caller - 1);
            return "`"
                    + SnapshotStack.location(frames.get(caller))
                    + "` in "
                    + called.getClassName()
                    + "."
                    + called.getMethodName();
        }
        return frames.isEmpty() ? null : "`" + frames.getFirst() + "`";
    }
}
