package io.vtagent.junit;

import java.time.Duration;
import java.util.List;

/**
 * A virtual thread held its carrier once. What is not known is an empty text or 0.
 *
 * @param holder what holds the carrier, as {@code class.method:line}
 * @param caller the nearest frame from the holder outwards that is not the JDK's, in the same form
 * @param operation the public API that blocked, as {@code class.method}
 * @param monitor the class of the monitor that the holder has or waits for
 * @param nativeFrame what holds the carrier where monitors do not
 * @param reason {@code monitor}, {@code native}, {@code class_init}, {@code critical_section} or {@code none}
 * @param compensated whether the scheduler added a carrier meanwhile
 * @param advice what to do about it
 * @param began since the test began
 * @param held how long it held the carrier, until now if it is in progress
 * @param inProgress whether it has not ended
 * @param incidental why it is not the test's fault, and counts only where annotations are {@code strict}; empty if it counts
 * @param stack the innermost frame first, as {@link StackTraceElement} prints them
 */
public record Pin(
        PinKind kind,
        String reason,
        boolean compensated,
        String holder,
        String caller,
        String operation,
        String monitor,
        String nativeFrame,
        String advice,
        String thread,
        long threadId,
        Duration began,
        Duration held,
        boolean inProgress,
        String incidental,
        List<String> stack) {

    /** Whether the holder or the caller begins so. */
    public boolean isAt(String prefix) {
        return holder.startsWith(prefix) || caller.startsWith(prefix);
    }

    /** In a line. */
    @Override
    public String toString() {
        String where = caller.equals(holder) || caller.isEmpty() ? holder : holder + ", called by " + caller;
        return kind + " for " + Amount.of(held) + (inProgress ? " so far" : "") + " at " + where;
    }
}
