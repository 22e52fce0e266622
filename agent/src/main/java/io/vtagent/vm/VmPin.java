package io.vtagent.vm;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A pin that has ended, as an event of the JVM tells it.
 *
 * @param threadId of the virtual thread; 0 if the event does not tell it, as JDK 21 often does of short-lived ones
 * @param pinned why the thread could not unmount: a constant's name of {@code Continuation.Pinned}, or {@code CLASS_INIT}
 * @param beganAtNanos on the scale of {@code System.nanoTime}
 * @param nanos how long it lasted
 * @param innermostClass the class of the innermost frame
 * @param innermostShown class and method of the innermost frame that {@code Thread.getStackTrace} shows, which leaves out those of
 *     hidden classes, such as the one of a method reference
 * @param entersMethod whether the innermost frame is a {@code synchronized} method that is about to begin
 * @param stackAs reads the stack as that of a thread which did so; valid until the receiver of this has returned
 */
public record VmPin(
        long threadId,
        Blocked blocked,
        String pinned,
        long beganAtNanos,
        long nanos,
        String innermostClass,
        String innermostShown,
        boolean entersMethod,
        Function<Blocked, PinnedStack> stackAs) {

    static final String CRITICAL_SECTION = "CRITICAL_SECTION";

    /** Reads the stack; valid until the receiver of this has returned. */
    public Supplier<PinnedStack> stack() {
        return () -> stackAs.apply(blocked);
    }

    /**
     * This pin, of a thread that waited for a class, which the event may not tell. Where monitors do not pin, it tells a wait for a class that
     * another thread links as one for a monitor, in a critical section (InstanceKlass::link_class_impl, JDK 24 and 25).
     */
    public VmPin awaiting(String className) {
        boolean linking = blocked == Blocked.ENTER && pinned.equals(CRITICAL_SECTION);
        return blocked == Blocked.CLASS_INIT || linking
                ? new VmPin(
                        threadId,
                        Blocked.CLASS_INIT,
                        Blocked.CLASS_INIT.name(),
                        beganAtNanos,
                        nanos,
                        innermostClass,
                        innermostShown,
                        entersMethod,
                        as -> stackAs.apply(as).withMonitor(className))
                : this;
    }

    /** The end of this pin, that long. */
    public VmPin last(long lastNanos) {
        return new VmPin(
                threadId,
                blocked,
                pinned,
                beganAtNanos + nanos - lastNanos,
                lastNanos,
                innermostClass,
                innermostShown,
                entersMethod,
                stackAs);
    }

    /** What the thread did meanwhile. */
    public enum Blocked {
        /** It waited to enter a monitor. */
        ENTER,
        /** It was in {@code Object.wait}. */
        WAIT,
        /** It waited until another thread had initialized a class. */
        CLASS_INIT
    }
}
