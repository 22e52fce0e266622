package io.vtagent.sampler;

import io.vtagent.pin.PinKind;
import io.vtagent.site.LoaderFrames;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Decides when to start JFR: when sampled pins that JFR would time exactly exceed {@link
 * #WORTH_NANOS} within a short time, which makes JFR worth its cost. A service's first requests
 * alone do not reach that. They hold carriers for some tenths of a second in total, or for a second
 * on two crowded CPUs, while they wait for classes, and never again. For the sampler's thread.
 */
final class JfrStartPolicy {
    /**
     * The weighted carrier time above which JFR is started. It includes ended pins and pins in
     * progress, without the time that is forgotten. Some hundreds of pins that last for
     * milliseconds reach it.
     */
    static final long WORTH_NANOS = 500_000_000;

    /**
     * The divisor of the weight of waits for a class, because as a rule a class is loaded once and
     * initialized once. Threads that repeatedly ask a loader for classes start JFR only if they
     * wait for more than 4 % of one carrier's time.
     */
    static final int CLASS_PART = 4;

    /**
     * The divisor of the time that is forgotten: 10 ms of each second. Below 1 % of one carrier the
     * estimates of the sampler are good enough.
     */
    static final int FORGOTTEN_PART = 100;

    /**
     * The limit on the time that a sample adds for a new pin, and on the time in which it forgets.
     * After an idle period, a single sample of a pin of microseconds stands for a tenth of a
     * second. That is right on average, but no reason to start JFR.
     */
    static final long MAX_NEW_PIN_NANOS = 10_000_000;

    /** The weight of waits that nothing counts before JFR has started. They are not forgotten. */
    static final int UNCOUNTED_WEIGHT = 5;

    private final Runnable whenWorth;
    private final Predicate<String> isWrapped;
    private long endedNanos;
    private long uncountedNanos;
    private long worthNanos = WORTH_NANOS;
    private boolean worth;

    /**
     * @param isWrapped returns true if the class of that name is instrumented, so that JFR events
     *     for its monitors are discarded
     * @param whenWorth starts JFR, and is run once. If it fails, the sample fails with it; it is
     *     run again when there is twice as much time, or enough after all has been forgotten
     */
    JfrStartPolicy(Predicate<String> isWrapped, Runnable whenWorth) {
        this.isWrapped = isWrapped;
        this.whenWorth = whenWorth;
    }

    /** Adds {@code pin}, which has ended. */
    void ended(SampledPin pin) {
        endedNanos += weighedNanos(pin, isForClass(pin));
    }

    /** Adds a sampled wait that only JFR events would count. */
    void waited(long nanos) {
        uncountedNanos += nanos;
    }

    /**
     * Ends a sample that found {@code pins} in progress.
     *
     * @param elapsedNanos the time since the previous sample
     */
    void onSampled(Collection<SampledPin> pins, long elapsedNanos) {
        if (worth) {
            return;
        }
        endedNanos =
                Math.max(
                        endedNanos - Math.min(elapsedNanos, MAX_NEW_PIN_NANOS) / FORGOTTEN_PART, 0);
        long nanos = endedNanos + UNCOUNTED_WEIGHT * uncountedNanos;
        for (SampledPin pin : pins) {
            // what the thread waits for is known only when the wait is over
            boolean mayBeForClass = pin.entering() && pin.state().mayBeForClass();
            nanos += weighedNanos(pin, mayBeForClass || isForClass(pin));
        }
        if (nanos == 0) {
            worthNanos = WORTH_NANOS; // a failure to start is as long ago as the forgotten time
        }
        if (nanos >= worthNanos) {
            worthNanos = 2 * nanos;
            whenWorth.run();
            worth = true;
        }
    }

    private long weighedNanos(SampledPin pin, boolean forClass) {
        if (!isReported(pin)) {
            return 0;
        }
        long nanos = Math.min(pin.nanos(), pin.time().spanNanos() + MAX_NEW_PIN_NANOS);
        return forClass ? nanos / CLASS_PART : nanos;
    }

    /**
     * Returns whether JFR would report {@code pin}. True if neither its stack is known nor that its
     * thread is in native code, because JFR may report such a pin.
     */
    private boolean isReported(SampledPin pin) {
        List<StackTraceElement> frames = pin.frames();
        boolean entersWrapped =
                pin.kind() == PinKind.ENTER
                        && frames != null
                        && !frames.isEmpty()
                        && isWrapped.test(frames.getFirst().getClassName());
        return (pin.stack() == null && !pin.isInNativeCode())
                || (pin.kind() == PinKind.ENTER && !entersWrapped)
                || pin.kind() == PinKind.CLASS_INIT;
    }

    /**
     * Returns whether the thread waits for a class, or to enter a class loader. Of waits without a
     * monitor, JFR reports only those for a class.
     */
    private static boolean isForClass(SampledPin pin) {
        List<StackTraceElement> frames = pin.frames();
        return !pin.entering()
                || pin.kind() == PinKind.CLASS_INIT
                || (frames != null && !frames.isEmpty() && LoaderFrames.isCall(frames.getFirst()));
    }
}
