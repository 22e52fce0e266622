package io.vtagent.diagnosis;

import io.vtagent.diagnosis.ThreadGroups.State;
import io.vtagent.site.JdkCode;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import org.jspecify.annotations.Nullable;

/** Names what a virtual thread without a carrier waits for. */
final class WaitKind {
    private static final String SOCKETS = "sun.nio.ch.";

    private WaitKind() {}

    /**
     * Returns the state of a thread with these frames.
     *
     * @param state the state that the JDK reports
     * @param frames the innermost first
     */
    static State stateOf(Thread.State state, List<StackTraceElement> frames) {
        if (state == Thread.State.BLOCKED) {
            return State.BLOCKED;
        }
        for (StackTraceElement frame : frames) {
            if (!JdkCode.owns(frame)) {
                break;
            }
            if (frame.getClassName().equals("java.lang.Object")
                    && frame.getMethodName().startsWith("wait")) {
                return State.WAITING;
            }
            if (frame.getClassName().equals("java.lang.Thread")
                    && frame.getMethodName().equals("sleep")) {
                return State.SLEEPING;
            }
        }
        return State.PARKED;
    }

    /**
     * Returns the kind of object or operation for which a thread waits.
     *
     * @param blocker as {@code LockSupport.getBlocker} returns it
     */
    static String of(State state, @Nullable Object blocker, List<StackTraceElement> frames) {
        return switch (state) {
            case BLOCKED -> "monitor";
            case WAITING -> "Object.wait";
            case SLEEPING -> "sleep";
            case PARKED -> blocker == null ? withoutBlocker(frames) : of(blocker);
            case MOUNTED, QUEUED, LOST -> "";
        };
    }

    private static String of(Object blocker) {
        Object lock = ParkedFor.lockOf(blocker);
        String name = nameOf(lock);
        return lock == blocker ? name : "condition of " + name;
    }

    /** Returns the name of the class, without package, in which the object's class is nested. */
    private static String nameOf(Object lock) {
        Class<?> type = lock.getClass();
        boolean isNested = lock instanceof AbstractOwnableSynchronizer || JdkCode.owns(type);
        while (isNested && type.getEnclosingClass() != null) {
            type = type.getEnclosingClass();
        }
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /**
     * Returns whether a frame is that of the JDK's own virtual threads that wait for sockets. Those
     * that wait for one socket call other methods of that class.
     */
    static boolean isPollerLoop(String frame) {
        return frame.contains(SOCKETS + "Poller.") && frame.contains("Loop(");
    }

    private static String withoutBlocker(List<StackTraceElement> frames) {
        for (StackTraceElement frame : frames) {
            if (!JdkCode.owns(frame)) {
                break;
            }
            if (frame.getClassName().startsWith(SOCKETS)) {
                return "socket";
            }
        }
        return "park";
    }
}
