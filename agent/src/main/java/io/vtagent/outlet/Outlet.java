package io.vtagent.outlet;

import io.vtagent.report.PinReport;
import org.jspecify.annotations.Nullable;

/** A way out for what was measured. All but {@link #open} is called on one thread of the agent's. */
interface Outlet {
    /** On the thread that begins the agent, for which the application waits at its first virtual thread: nothing that takes time, and nothing that throws. */
    default void open() {}

    /** Why it does not what it was asked for, once it is open; null if it does. */
    default @Nullable String failure() {
        return null;
    }

    /** As soon as the application has begun. Called again, a second later, if it threw. */
    default void begin() throws Exception {}

    /** Once a second: what was measured until now. */
    default void tell(PinReport report) throws Exception {}

    /** In a second in which nobody is told, since nothing has happened for long: what has to be done all the same. */
    default void rest() throws Exception {}

    /**
     * Once, some seconds after the beginning: does what it will do later, with what is made up. Code that is linked for the first time while
     * the heap is full fails for good ({@code BootstrapMethodError}).
     */
    default void rehearse(Measurements madeUp) throws Exception {}

    /** Once, before {@link #end}, when the agent is detached: what was measured in all. */
    default void tellLast(PinReport report) throws Exception {}

    /**
     * Once, when it is not wanted any more, or the agent is detached from a JVM that goes on: leaves nothing behind, neither a thread nor a listener, nor anything
     * outside that refers to a class of the agent's.
     */
    default void end() throws Exception {}
}
