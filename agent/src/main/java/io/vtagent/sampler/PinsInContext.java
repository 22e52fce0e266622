package io.vtagent.sampler;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinInContext;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.SampledPinListener;
import io.vtagent.pin.Site;
import io.vtagent.site.PinnedStack;
import io.vtagent.usage.StackBudget;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the contexts of threads while they are pinned, and hands these pins over to the ledger's
 * {@link SampledPinListener}. For the sampler's thread.
 *
 * <p>A thread that sleeps all the time keeps its context, so one reading is enough, and only long
 * pins need it. A thread that waits to enter a monitor may have run between two samples, and the
 * sampler may take its waits for one. Its context must be the same in every sample.
 */
final class PinsInContext {
    private final Ledger ledger;
    private final Supplier<@Nullable SampledPinListener> listener;
    private final StackBudget budget;

    /**
     * @param listener returns the listener; null if no pin is to be handed over
     */
    PinsInContext(
            Ledger ledger, Supplier<@Nullable SampledPinListener> listener, StackBudget budget) {
        this.ledger = ledger;
        this.listener = listener;
        this.budget = budget;
    }

    /**
     * Returns {@code pin}, the result of {@code sample}, with what is known of its context by now.
     */
    SampledPin withContext(SampledPin pin, CarrierSample sample) {
        SampledPinListener listener = this.listener.get();
        if (listener == null || !isToBeRead(pin, listener)) {
            return pin;
        }
        Object context = budget.spend(() -> listener.contextOf(sample.thread()));
        boolean certain =
                sample.isStillBlocked().getAsBoolean()
                        && sample.sleepId().getAsLong() == pin.newestSleepId();
        PinInContext before = pin.inContext();
        if (before == null) {
            return certain && context != null
                    ? pin.withContext(new PinInContext(context, null))
                    : pin;
        }
        if (certain && context == before.context()) {
            return pin;
        }
        before.become(null);
        return pin.withContext(null);
    }

    private boolean isToBeRead(SampledPin pin, SampledPinListener listener) {
        return pin.entering()
                ? pin.isNew() || pin.inContext() != null
                : pin.inContext() == null && isLongEnough(pin, listener);
    }

    private boolean isLongEnough(SampledPin pin, SampledPinListener listener) {
        return pin.ownNanos() >= listener.minNanos() && ledger.isForStack(pin.ownNanos());
    }

    /** Called for each pin that the sample at {@code nowNanos} has found. */
    void inProgress(SampledPin pin, long nowNanos) {
        PinInContext its = pin.inContext();
        EndedPin before = its == null ? null : its.pin();
        boolean known = before != null && before.site() != null && before.kind() == pin.kind();
        handOver(pin, nowNanos, known ? before : null);
    }

    /**
     * Called for each pin that has ended.
     *
     * @param newestNanos when it was sampled last
     */
    void ended(SampledPin pin, long newestNanos) {
        long endedAtNanos = newestNanos + pin.time().afterNanos();
        handOver(pin.afterEnd(), Math.min(endedAtNanos, System.nanoTime()), null);
    }

    /** Called for a pin that has ended and does not count. */
    void dropped(SampledPin pin) {
        PinInContext its = pin.inContext();
        if (its != null) {
            its.become(null);
        }
    }

    /**
     * @param same what was handed over before and has the same site; null if there is none
     */
    private void handOver(SampledPin pin, long atNanos, @Nullable EndedPin same) {
        SampledPinListener listener = this.listener.get();
        PinInContext its = pin.inContext();
        boolean first = its != null && its.pin() == null;
        if (its == null || listener == null || (first && !isLongEnough(pin, listener))) {
            return;
        }
        its.become(
                same == null
                        ? budget.spend(() -> endedPin(pin, atNanos))
                        : endedPin(pin, atNanos, same.reason(), same.site()));
        if (first) {
            listener.seen(its);
        }
    }

    private EndedPin endedPin(SampledPin pin, long atNanos) {
        PinnedStack stack = pin.pinnedStack(ledger.frames());
        PinReason reason = pin.reason(ledger.monitorsPin());
        return stack == null
                ? endedPin(pin, atNanos, reason, null)
                : endedPin(
                        pin,
                        atNanos,
                        reason.refinedBy(stack),
                        ledger.siteOf(pin.kind(), reason, stack));
    }

    private static EndedPin endedPin(
            SampledPin pin, long atNanos, PinReason reason, @Nullable Site site) {
        return new EndedPin(
                pin.kind(),
                reason,
                false,
                site,
                pin.ownNanos(),
                atNanos,
                null,
                pin.thread().threadId(),
                false);
    }
}
