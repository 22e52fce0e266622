package io.vtagent.junit;

import java.time.Duration;
import java.util.List;

/**
 * One time that a virtual thread held its carrier. Unknown values are an empty text or 0.
 *
 * @param holder the frame that holds the carrier, as {@code class.method:line}
 * @param caller the nearest frame from the holder outwards that is not the JDK's, in the same form
 * @param operation the public API that blocked, as {@code class.method}
 * @param monitor the class of the monitor that the holder has or waits for
 * @param nativeFrame the native frame, class initializer or class loader that holds the carrier
 *     where monitors do not
 * @param reason {@code monitor}, {@code native}, {@code class_init}, {@code critical_section} or
 *     {@code none}
 * @param compensated whether the scheduler compensated for the held carrier
 * @param advice what to change in the code
 * @param began when the pin began, measured from the start of the test
 * @param held how long the carrier was held; until now if the pin is in progress
 * @param inProgress whether the pin has not ended
 * @param incidental why the pin is not the test's fault, and counts only where annotations are
 *     {@code strict}; empty if it counts
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

    /** Returns whether the holder or the caller begins with {@code prefix}. */
    public boolean isAt(String prefix) {
        return holder.startsWith(prefix) || caller.startsWith(prefix);
    }

    /** Returns a description of one line. */
    @Override
    public String toString() {
        String where =
                caller.equals(holder) || caller.isEmpty()
                        ? holder
                        : holder + ", called by " + caller;
        return kind + " for " + Amount.of(held) + (inProgress ? " so far" : "") + " at " + where;
    }
}
