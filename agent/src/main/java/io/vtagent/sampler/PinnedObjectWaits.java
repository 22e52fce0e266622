package io.vtagent.sampler;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinReason;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes threads in {@code Object.wait} that cannot unmount although monitors do not pin. Their
 * stack contains a native frame, a class initializer, or a class loader that the JVM has called.
 * Thread-safe.
 */
final class PinnedObjectWaits {
    /** The time after which a thread that can unmount has done so. */
    private static final long UNMOUNTED_AFTER_NANOS = 1_000_000;

    private PinnedObjectWaits() {}

    /**
     * Returns why {@code wait}, whose thread has these frames, holds its carrier; null if it does
     * not.
     */
    static @Nullable PinReason reasonOf(ActivePin wait, List<StackTraceElement> frames) {
        return switch (SnapshotStack.nativeCauseIn(SnapshotStack.belowWait(frames))) {
            case NATIVE -> PinReason.NATIVE;
            case CLASS_INIT -> PinReason.CLASS_INIT;
            default -> isHeldByLoader(wait, frames) ? PinReason.CRITICAL_SECTION : null;
        };
    }

    /**
     * Returns whether a class loader holds the carrier. The stack does not show whether the JVM or
     * the application has called the loader. If the application has, the thread unmounts.
     */
    private static boolean isHeldByLoader(ActivePin wait, List<StackTraceElement> frames) {
        return SnapshotStack.blockedCauseIn(SnapshotStack.belowWait(frames))
                        == PinnedStack.Cause.CLASS_LOADER
                && wait.ageNanos() >= UNMOUNTED_AFTER_NANOS
                && VirtualThreads.isMounted(wait.thread(), wait.carrier());
    }

    /** Returns whether only a JFR event, and no hook, will count {@code wait} when it is over. */
    static boolean isReportedOnlyByEvents(ActivePin wait) {
        return reasonOf(wait, Snapshot.of(wait.thread()).frames()) == PinReason.CRITICAL_SECTION;
    }
}
