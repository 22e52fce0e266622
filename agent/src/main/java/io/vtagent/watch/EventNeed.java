package io.vtagent.watch;

import io.vtagent.record.PinKind;
import java.util.Collection;

/**
 * Decides when the JVM's events are worth what they cost: when the looks, which see all that they tell, have seen so much of it that it
 * is worth knowing exactly. For the thread that looks.
 */
final class EventNeed {
    /** So much carrier time, ended or in progress. Of pins that last for milliseconds, as those that are told, that is some dozens. */
    static final long WORTH_NANOS = 100_000_000;

    /** After a rest a glimpse of a pin of microseconds stands for a tenth of a second: right on average, but no reason to start anything. */
    private static final long MOST_BEFORE_SEEN_NANOS = 10_000_000;

    private final Runnable whenWorth;
    private long endedNanos;
    private long worthNanos = WORTH_NANOS;
    private boolean worth;

    /** @param whenWorth is run once, or, if it fails, again when there is twice as much: each time a look fails with it */
    EventNeed(Runnable whenWorth) {
        this.whenWorth = whenWorth;
    }

    /** {@code pin} has ended. */
    void ended(SampledPin pin) {
        endedNanos += seenNanos(pin);
    }

    /** A look has seen a wait that nothing but the events will count. */
    void waited(long nanos) {
        endedNanos += nanos;
    }

    /** A look is over, which saw {@code pins}. */
    void looked(Collection<SampledPin> pins) {
        if (worth) {
            return;
        }
        long nanos = endedNanos;
        for (SampledPin pin : pins) {
            nanos += seenNanos(pin);
        }
        if (nanos >= worthNanos) {
            worthNanos = 2 * nanos;
            whenWorth.run();
            worth = true;
        }
    }

    private static long seenNanos(SampledPin pin) {
        return isTold(pin) ? Math.min(pin.nanos(), pin.time().laterNanos() + MOST_BEFORE_SEEN_NANOS) : 0;
    }

    /** Where the stack is not known it may be. */
    private static boolean isTold(SampledPin pin) {
        return pin.stack() == null || pin.kind() == PinKind.ENTER || pin.kind() == PinKind.CLASS_INIT;
    }
}
