package io.vtagent.watch;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.SnapshotStack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A carrier that was seen held, at one look or at several in a row, by something that no sensor notices.
 *
 * @param nap tells one sleep of the carrier from another
 * @param nanos the time between looks that it stands for
 * @param frames of the virtual thread, the innermost first; null if reading them would have cost too much
 */
record Hold(
        Thread carrier,
        Thread thread,
        PinKind kind,
        long nap,
        long nanos,
        @Nullable List<StackTraceElement> frames) {

    boolean isSame(Thread otherThread, PinKind otherKind, long otherNap) {
        return thread == otherThread && kind == otherKind && nap == otherNap;
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
        return switch (frames == null ? HeldStack.Cause.NONE : SnapshotStack.nativeCauseIn(frames)) {
            case CLASS_INIT -> PinReason.CLASS_INIT;
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

    ActivePin active(boolean monitorsPin) {
        return new ActivePin(kind, reason(monitorsPin), nanos, thread, carrier, false, null, null);
    }
}
