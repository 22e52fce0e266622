package io.vtagent.watch;

import io.vtagent.record.PinKind;
import io.vtagent.vm.LoaderFrames;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Decides when the JVM's events are worth what they cost: when the looks, which see all that they tell, have seen so much of it in so
 * short a time that it is worth knowing exactly. A service's first requests hold carriers for some tenths of a second, in all, or for a
 * second on two crowded processors, while they wait for classes, and never again. For the thread that looks.
 */
final class EventNeed {
    /**
     * So much carrier time, as weighed, more than is forgotten, ended or in progress. Of pins that last for milliseconds that is some
     * hundreds.
     */
    static final long WORTH_NANOS = 500_000_000;

    /**
     * Waits for a class weigh a fourth: as a rule it is loaded once and initialized once. Who asks a loader for classes again and again has
     * to wait for more than four hundredths of a carrier.
     */
    static final int CLASS_PART = 4;

    /** Of each second 10 ms are forgotten: of less than a hundredth of one carrier the looks know enough. */
    static final int FORGOTTEN_PART = 100;

    /**
     * After a rest a glimpse of a pin of microseconds stands for a tenth of a second: right on average, but no reason to start anything. So
     * no look counts for more, neither in what it has seen for the first time nor in what is forgotten.
     */
    static final long MOST_BEFORE_SEEN_NANOS = 10_000_000;

    /** What nobody counts until the events begin is worth more, and is not forgotten. */
    static final int UNCOUNTED_WEIGHT = 5;

    private final Runnable whenWorth;
    private final Predicate<String> isWrapped;
    private long endedNanos;
    private long uncountedNanos;
    private long worthNanos = WORTH_NANOS;
    private boolean worth;

    /**
     * @param isWrapped whether the class of that name tells the entry of its monitors itself: of what it misses the events do not count either
     * @param whenWorth is run once, or, if it fails, again when there is twice as much, or enough once all was forgotten: each time a look fails with it
     */
    EventNeed(Predicate<String> isWrapped, Runnable whenWorth) {
        this.isWrapped = isWrapped;
        this.whenWorth = whenWorth;
    }

    /** {@code pin} has ended. */
    void ended(SampledPin pin) {
        endedNanos += weighedNanos(pin, isForClass(pin));
    }

    /** A look has seen a wait that nothing but the events will count. */
    void waited(long nanos) {
        uncountedNanos += nanos;
    }

    /**
     * A look is over, which saw {@code pins}.
     *
     * @param elapsedNanos the time since the look before it
     */
    void looked(Collection<SampledPin> pins, long elapsedNanos) {
        if (worth) {
            return;
        }
        endedNanos = Math.max(endedNanos - Math.min(elapsedNanos, MOST_BEFORE_SEEN_NANOS) / FORGOTTEN_PART, 0);
        long nanos = endedNanos + UNCOUNTED_WEIGHT * uncountedNanos;
        for (SampledPin pin : pins) {
            // what it waits for is known when it is over
            boolean mayBeForClass = pin.entering() && pin.sleep().isOpen();
            nanos += weighedNanos(pin, mayBeForClass || isForClass(pin));
        }
        if (nanos == 0) {
            worthNanos = WORTH_NANOS; // why they could not be started is as long ago as what is forgotten
        }
        if (nanos >= worthNanos) {
            worthNanos = 2 * nanos;
            whenWorth.run();
            worth = true;
        }
    }

    private long weighedNanos(SampledPin pin, boolean forClass) {
        if (!isTold(pin)) {
            return 0;
        }
        long nanos = Math.min(pin.nanos(), pin.time().laterNanos() + MOST_BEFORE_SEEN_NANOS);
        return forClass ? nanos / CLASS_PART : nanos;
    }

    /** Where neither the stack is known nor that it is in native code, it may be. */
    private boolean isTold(SampledPin pin) {
        List<StackTraceElement> frames = pin.frames();
        boolean entersWrapped = pin.kind() == PinKind.ENTER
                && frames != null
                && !frames.isEmpty()
                && isWrapped.test(frames.getFirst().getClassName());
        return (pin.stack() == null && !pin.isInNativeCode())
                || (pin.kind() == PinKind.ENTER && !entersWrapped)
                || pin.kind() == PinKind.CLASS_INIT;
    }

    /** Whether it waits for a class, or to enter a class loader. Of who waits for no monitor the events tell nothing else. */
    private static boolean isForClass(SampledPin pin) {
        List<StackTraceElement> frames = pin.frames();
        return !pin.entering()
                || pin.kind() == PinKind.CLASS_INIT
                || (frames != null && !frames.isEmpty() && LoaderFrames.isCall(frames.getFirst()));
    }
}
