package io.vtagent.sampler;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinInContext;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pin that only the sampler has found: a carrier that was held at one sample, or at several in a
 * row.
 *
 * @param entering whether the thread waits to enter a monitor, according to its Java thread state
 * @param sleepId identifies the sleep of the carrier at the first sample
 * @param newestSleepId identifies the sleep at the newest sample. While a thread waits for a
 *     monitor without unmounting, the JVM wakes it periodically to check the monitor
 *     (ObjectMonitor::enter_internal)
 * @param time the estimated duration
 * @param stack the stack of the virtual thread; null if reading it would have cost too much
 * @param state the place where the thread blocks
 * @param start the start of the pin; null if the kernel has not reported it
 * @param inContext the pin with the context of its thread; null if that is not known
 */
record SampledPin(
        Thread carrier,
        Thread thread,
        boolean entering,
        long sleepId,
        long newestSleepId,
        DurationEstimate time,
        @Nullable Snapshot stack,
        BlockingState state,
        @Nullable PinStart start,
        @Nullable PinInContext inContext) {
    /** Returns a pin that was sampled for the first time. */
    static SampledPin firstSample(
            Thread carrier,
            Thread thread,
            boolean entering,
            long sleepId,
            DurationEstimate time,
            @Nullable Snapshot stack,
            BlockingState state) {
        return new SampledPin(
                carrier, thread, entering, sleepId, sleepId, time, stack, state, null, null);
    }

    /**
     * Returns the estimated carrier time. Time in which the JVM has paused all threads does not
     * count for a thread that waits in the JVM, because it is not the fault of the waiting code. A
     * thread that sleeps in native code is not paused.
     */
    long nanos() {
        return kind() == PinKind.JVM ? time.nanosOutsidePauses() : time.nanos();
    }

    /** Returns the estimated carrier time of this very pin, which stands for no others. */
    long ownNanos() {
        long pausedNanos = kind() == PinKind.JVM ? time.pausedNanos() : 0;
        return Math.max(time.ownNanos() - pausedNanos, 0);
    }

    /** Returns the samples that the duration rests on. */
    Samples samples() {
        return new Samples(1, time.samples(), time.spanNanos());
    }

    /** Returns the kind of the pin. */
    PinKind kind() {
        return state.kind(entering);
    }

    /** Returns whether this pin is {@code earlier}, sampled again. */
    boolean isSame(SampledPin earlier) {
        return thread == earlier.thread
                && entering == earlier.entering
                && sleepId == earlier.sleepId;
    }

    /**
     * Returns this pin after another sample, {@code spanNanos} later, with {@code pausedNanos} of
     * that time in which the JVM had paused all threads.
     */
    SampledPin sampledAgain(long newSleepId, long spanNanos, long pausedNanos) {
        return withTime(newSleepId, time.sampledAgain(spanNanos).plusPaused(pausedNanos));
    }

    /** Returns this pin with a better estimate of its duration. */
    SampledPin withTime(DurationEstimate newTime) {
        return withTime(newestSleepId, newTime);
    }

    private SampledPin withTime(long newSleepId, DurationEstimate newTime) {
        return with(newSleepId, newTime, stack, state, start, inContext);
    }

    /** Returns this pin with its start, and {@code newTime}, which takes it into account. */
    SampledPin withStart(PinStart newStart, DurationEstimate newTime) {
        return with(newestSleepId, newTime, stack, state, newStart, inContext);
    }

    /**
     * Returns this pin with {@code newStack} and {@code newState} if its stack was unknown;
     * otherwise this pin.
     */
    SampledPin withStack(@Nullable Snapshot newStack, BlockingState newState) {
        return stack == null
                ? with(newestSleepId, time, newStack, newState, start, inContext)
                : this;
    }

    SampledPin withState(BlockingState newState) {
        return with(newestSleepId, time, stack, newState, start, inContext);
    }

    SampledPin withContext(@Nullable PinInContext newContext) {
        return with(newestSleepId, time, stack, state, start, newContext);
    }

    private SampledPin with(
            long newSleepId,
            DurationEstimate newTime,
            @Nullable Snapshot newStack,
            BlockingState newState,
            @Nullable PinStart newStart,
            @Nullable PinInContext newContext) {
        return new SampledPin(
                carrier,
                thread,
                entering,
                sleepId,
                newSleepId,
                newTime,
                newStack,
                newState,
                newStart,
                newContext);
    }

    /** Returns this pin after it has ended, with what has become known since. */
    SampledPin afterEnd() {
        return withState(state.afterEnd());
    }

    /**
     * Returns whether the thread is certainly in native code, so that no JFR event reports the pin.
     */
    boolean isInNativeCode() {
        return state.inNativeMethod();
    }

    /** Returns whether the newest sample is the first one of this pin. */
    boolean isNew() {
        return time.isSingleSample();
    }

    /** Returns the frames, the innermost first; null if the stack is not known. */
    @Nullable List<StackTraceElement> frames() {
        return stack == null ? null : stack.frames();
    }

    /** Returns why the thread cannot unmount. */
    PinReason reason(boolean monitorsPin) {
        PinKind kind = kind();
        if (kind != PinKind.ENTER) {
            return kind == PinKind.CLASS_INIT ? PinReason.CLASS_INIT : PinReason.NONE;
        }
        if (monitorsPin) {
            return PinReason.MONITOR;
        }
        List<StackTraceElement> known = frames();
        if (known == null) {
            return PinReason.NONE;
        }
        return switch (SnapshotStack.blockedCauseIn(known)) {
            case CLASS_INIT -> PinReason.CLASS_INIT;
            case NATIVE -> PinReason.NATIVE;
            // the JVM has called a class loader, or links a class itself; JFR reports the same
            default -> PinReason.CRITICAL_SECTION;
        };
    }

    @Nullable PinnedStack pinnedStack(FramesOfInterest wanted) {
        List<StackTraceElement> known = frames();
        if (known == null) {
            return null;
        }
        return switch (kind()) {
            case ENTER -> SnapshotStack.entering(known, wanted, null);
            case CLASS_INIT -> SnapshotStack.initializing(known, wanted, state.awaited());
            case JVM -> SnapshotStack.inJvm(known, wanted);
            default -> SnapshotStack.inNativeCode(known, wanted);
        };
    }

    /**
     * Returns the class that the thread of this ended pin waited for; null if that is unknown, or
     * if it waited for a class loader.
     */
    @Nullable String awaitedUntilEnd() {
        List<StackTraceElement> known = frames();
        boolean inLoader =
                entering
                        && known != null
                        && SnapshotStack.blockedCauseIn(known) != PinnedStack.Cause.NONE;
        return inLoader ? null : state.afterEnd().awaited();
    }

    /**
     * Returns this pin as a pin in progress.
     *
     * @param sinceNanos the time since the newest sample
     * @param site the site, or null if it was not requested
     */
    ActivePin active(boolean monitorsPin, long sinceNanos, @Nullable Site site) {
        long ageNanos = withTime(newestSleepId, time.sampledAgain(sinceNanos)).nanos();
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
                new Samples(1, time.samples(), time.spanNanos() + sinceNanos),
                false);
    }
}
