package io.vtagent.sampler;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.record.Samples;
import io.vtagent.record.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pin that no sensor notices: its carrier was seen held, at one look or at several in a row.
 *
 * @param entering whether the thread waits to enter a monitor, by what Java calls its state
 * @param nap tells one sleep of the carrier from another: the first one of this pin
 * @param newestNap the one at the newest look. While a thread waits for a monitor without
 *     unmounting, the JVM wakes it every now and then to look for itself
 *     (ObjectMonitor::enter_internal)
 * @param time how long it lasted, as far as looks tell
 * @param stack of the virtual thread; null if reading it would have cost too much
 * @param sleep what it is asleep in
 */
record SampledPin(
        Thread carrier,
        Thread thread,
        boolean entering,
        long nap,
        long newestNap,
        DurationEstimate time,
        @Nullable Snapshot stack,
        BlockingState sleep) {
    /** One that was seen for the first time. */
    static SampledPin seen(
            Thread carrier,
            Thread thread,
            boolean entering,
            long nap,
            DurationEstimate time,
            @Nullable Snapshot stack,
            BlockingState sleep) {
        return new SampledPin(carrier, thread, entering, nap, nap, time, stack, sleep);
    }

    /**
     * The carrier time that it stands for. For what the JVM makes a thread wait for there is no
     * look while all threads are stopped, and that is nobody's waiting; what sleeps in native code
     * is not stopped.
     */
    long nanos() {
        return kind() == PinKind.JVM ? time.nanosBetweenStops() : time.nanos();
    }

    /** The samples that the duration rests on. */
    Samples samples() {
        return new Samples(1, time.samples(), time.laterNanos());
    }

    /** What the thread does meanwhile. */
    PinKind kind() {
        return sleep.kind(entering);
    }

    /** Whether this is {@code earlier}, seen again. */
    boolean isSame(SampledPin earlier) {
        return thread == earlier.thread && entering == earlier.entering && nap == earlier.nap;
    }

    /**
     * This pin, seen again {@code laterNanos} later, of which the JVM had stopped all threads for
     * {@code stoppedNanos}.
     */
    SampledPin seenAgain(long nowNap, long laterNanos, long stoppedNanos) {
        return lasting(nowNap, time.again(laterNanos).stopped(stoppedNanos));
    }

    /** This pin, of which it is known better how long it has lasted. */
    SampledPin counting(DurationEstimate newTime) {
        return lasting(newestNap, newTime);
    }

    private SampledPin lasting(long nowNap, DurationEstimate newTime) {
        return new SampledPin(carrier, thread, entering, nap, nowNap, newTime, stack, sleep);
    }

    /**
     * This pin with {@code newStack}, if that is known and was not until now, and with what is
     * known of the sleep.
     */
    SampledPin at(@Nullable Snapshot newStack, BlockingState newSleep) {
        return stack == null
                ? new SampledPin(
                        carrier, thread, entering, nap, newestNap, time, newStack, newSleep)
                : this;
    }

    SampledPin in(BlockingState newSleep) {
        return new SampledPin(carrier, thread, entering, nap, newestNap, time, stack, newSleep);
    }

    /** This pin, which is over, with what is known since. */
    SampledPin over() {
        return in(sleep.over());
    }

    /**
     * Whether nothing but native code can be what the thread is in, so that no event of the JVM
     * tells of it.
     */
    boolean isInNativeCode() {
        return sleep.inNativeMethod();
    }

    /** Whether no look has seen it before the newest. */
    boolean isNew() {
        return time.isOnce();
    }

    /** The innermost frame first; null if the stack is not known. */
    @Nullable List<StackTraceElement> frames() {
        return stack == null ? null : stack.frames();
    }

    /** Why the thread stays on its carrier. */
    PinReason reason(boolean monitorsPin) {
        PinKind kind = kind();
        if (kind != PinKind.ENTER) {
            return kind == PinKind.CLASS_INIT ? PinReason.CLASS_INIT : PinReason.NONE;
        }
        if (monitorsPin) {
            return PinReason.MONITOR;
        }
        List<StackTraceElement> known = frames();
        return switch (known == null
                ? PinnedStack.Cause.NONE
                : SnapshotStack.blockedCauseIn(known)) {
            case CLASS_INIT -> PinReason.CLASS_INIT;
            case CLASS_LOADER -> PinReason.CRITICAL_SECTION;
            case NATIVE -> PinReason.NATIVE;
            default -> PinReason.NONE;
        };
    }

    @Nullable PinnedStack pinnedStack(FramesOfInterest wanted) {
        List<StackTraceElement> known = frames();
        if (known == null) {
            return null;
        }
        return switch (kind()) {
            case ENTER -> SnapshotStack.entering(known, wanted, null);
            case CLASS_INIT -> SnapshotStack.initializing(known, wanted, sleep.awaited());
            case JVM -> SnapshotStack.inJvm(known, wanted);
            default -> SnapshotStack.inNativeCode(known, wanted);
        };
    }

    /**
     * The class that it waited for, if that is known, of a wait that is over; null if it waited for
     * a class loader.
     */
    @Nullable String awaitedUntilOver() {
        List<StackTraceElement> known = frames();
        boolean inLoader =
                entering
                        && known != null
                        && SnapshotStack.blockedCauseIn(known) != PinnedStack.Cause.NONE;
        return inLoader ? null : sleep.over().awaited();
    }

    /**
     * This pin as a pin in progress.
     *
     * @param sinceNanos the time since it was seen last
     * @param site what it is attributed to, if that is asked for
     */
    ActivePin active(boolean monitorsPin, long sinceNanos, @Nullable Site site) {
        long ageNanos = lasting(newestNap, time.again(sinceNanos)).nanos();
        return new ActivePin(
                kind(),
                reason(monitorsPin),
                ageNanos,
                thread,
                carrier,
                false,
                site,
                null,
                null,
                new Samples(1, time.samples(), time.laterNanos() + sinceNanos));
    }
}
