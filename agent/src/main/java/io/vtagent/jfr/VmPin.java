package io.vtagent.jfr;

import io.vtagent.site.PinnedStack;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A pin that has ended, from a JFR event.
 *
 * @param threadId the id of the virtual thread; 0 if the event lacks it, as it often does on JDK 21
 *     for short-lived threads
 * @param pinned why the thread could not unmount: the name of a {@code Continuation.Pinned}
 *     constant, or {@code CLASS_INIT}
 * @param beganAtNanos on the scale of {@code System.nanoTime}
 * @param nanos the duration
 * @param innermostClass the class of the innermost frame
 * @param innermostShown the class and method of the innermost frame that {@code
 *     Thread.getStackTrace} shows; it leaves out frames of hidden classes, such as that of a method
 *     reference
 * @param entersMethod whether the innermost frame is a {@code synchronized} method that is about to
 *     begin
 * @param stackAs reads the stack as that of a thread that blocked in this way; valid until the
 *     receiver of this pin has returned
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

    /**
     * Returns a supplier that reads the stack; valid until the receiver of this pin has returned.
     */
    public Supplier<PinnedStack> stack() {
        return () -> stackAs.apply(blocked);
    }

    /**
     * Returns this pin as a wait for the class {@code className}, which the event may lack. Where
     * monitors do not pin, the event reports a class-linking wait as one for a monitor in a
     * critical section (InstanceKlass::link_class_impl, JDK 24 and 25); this corrects it. Other
     * pins are returned unchanged.
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

    /** Returns the end of this pin, of the given length, as a pin. */
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

    /** The operation in which the thread blocked. */
    public enum Blocked {
        /** The thread waited to enter a monitor. */
        ENTER,
        /** The thread was in {@code Object.wait}. */
        WAIT,
        /** The thread waited until another thread had initialized a class. */
        CLASS_INIT
    }
}
