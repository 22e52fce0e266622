package io.vtagent.watch;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinReason;
import io.vtagent.vm.PinnedStack;
import io.vtagent.vm.SnapshotStack;
import io.vtagent.vm.VirtualThreads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of threads in {@code Object.wait} where monitors do not pin: which of them cannot unmount, since there is a native frame or a class
 * initializer on their stack, or a class loader that the JVM has called. Thread-safe.
 */
final class HeldWaits {
    /** By then a thread that can unmount has done so. */
    private static final long UNMOUNTED_AFTER_NANOS = 1_000_000;

    private HeldWaits() {}

    /** Why {@code wait}, whose thread has these frames, holds its carrier; null if that is nothing. */
    static @Nullable PinReason reasonOf(ActivePin wait, List<StackTraceElement> frames) {
        return switch (SnapshotStack.nativeCauseIn(SnapshotStack.belowWait(frames))) {
            case NATIVE -> PinReason.NATIVE;
            case CLASS_INIT -> PinReason.CLASS_INIT;
            default -> isHeldByLoader(wait, frames) ? PinReason.CRITICAL_SECTION : null;
        };
    }

    /** Whether the application has called the loader, and the thread unmounts, its stack does not tell. */
    private static boolean isHeldByLoader(ActivePin wait, List<StackTraceElement> frames) {
        return SnapshotStack.blockedCauseIn(SnapshotStack.belowWait(frames)) == PinnedStack.Cause.CLASS_LOADER
                && wait.ageNanos() >= UNMOUNTED_AFTER_NANOS
                && VirtualThreads.isMounted(wait.thread(), wait.carrier());
    }

    /** Whether no hook will count {@code wait} when it is over, but an event of the JVM tells of it. */
    static boolean isOnlyToldByEvents(ActivePin wait) {
        return reasonOf(wait, List.of(wait.thread().getStackTrace())) == PinReason.CRITICAL_SECTION;
    }
}
