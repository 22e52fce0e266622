package io.vtagent.watch;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.record.Site;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.SnapshotStack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A carrier that was seen held, at one look or at several in a row, by something that no sensor notices.
 *
 * @param nap tells one sleep of the carrier from another: the first one of this hold
 * @param newestNap the one at the newest look. While a thread waits for a monitor without unmounting, the JVM wakes it every now and then
 *     to look for itself (ObjectMonitor::enter_internal)
 * @param nanos the time between looks that it stands for
 * @param frames of the virtual thread, the innermost first; null if reading them would have cost too much
 */
record Hold(
        Thread carrier,
        Thread thread,
        PinKind kind,
        long nap,
        long newestNap,
        long nanos,
        @Nullable List<StackTraceElement> frames) {

    /** Whether this is {@code earlier}, seen again. */
    boolean isSame(Hold earlier) {
        return thread == earlier.thread && kind == earlier.kind && nap == earlier.nap;
    }

    /** This hold, seen again {@code laterNanos} later. */
    Hold seenAgain(long nowNap, long laterNanos) {
        return new Hold(carrier, thread, kind, nap, nowNap, nanos + laterNanos, frames);
    }

    /** This hold with {@code newFrames}, if its frames were not known until now. */
    Hold at(@Nullable List<StackTraceElement> newFrames) {
        return frames == null ? new Hold(carrier, thread, kind, nap, newestNap, nanos, newFrames) : this;
    }

    /** Whether the innermost frame is a native method: nothing but native code can block there. */
    boolean isInNativeMethod() {
        return frames != null && !frames.isEmpty() && frames.getFirst().isNativeMethod();
    }

    /** Why the thread stays on its carrier. */
    PinReason reason(boolean monitorsPin) {
        if (kind != PinKind.ENTER) {
            return PinReason.NONE;
        }
        if (monitorsPin) {
            return PinReason.MONITOR;
        }
        return switch (frames == null ? HeldStack.Cause.NONE : SnapshotStack.blockedCauseIn(frames)) {
            case CLASS_INIT -> PinReason.CLASS_INIT;
            case CLASS_LOADER -> PinReason.CRITICAL_SECTION;
            case NATIVE -> PinReason.NATIVE;
            default -> PinReason.NONE;
        };
    }

    @Nullable
    HeldStack stack(int depth) {
        List<StackTraceElement> known = frames;
        if (known == null) {
            return null;
        }
        return kind == PinKind.ENTER
                ? SnapshotStack.entering(known, depth, null)
                : SnapshotStack.inNativeCode(known, depth);
    }

    /**
     * This hold as a pin in progress.
     *
     * @param sinceNanos the time since it was seen last
     * @param site what it is attributed to, if that is asked for
     */
    ActivePin active(boolean monitorsPin, long sinceNanos, @Nullable Site site) {
        return new ActivePin(kind, reason(monitorsPin), nanos + sinceNanos, thread, carrier, false, site, null);
    }
}
