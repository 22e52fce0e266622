package io.vtagent.usage;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Attributes the time for which virtual threads were queued because of held carriers to the sites
 * of the pins that held them, in equal shares. Pins without compensation share it; only if there
 * are none, those for which the scheduler compensates. For the sampler's thread.
 */
final class WaitAttribution {
    private final Ledger ledger;
    private final Predicate<Thread> isCarrier;
    private final StackBudget budget;

    /** The time that could not be attributed yet, because no pin was in progress at the samples. */
    private double leftNanos;

    /**
     * @param isCarrier returns whether a thread is a carrier of the scheduler
     * @param budget limits the time spent on finding sites
     */
    WaitAttribution(Ledger ledger, Predicate<Thread> isCarrier, StackBudget budget) {
        this.ledger = ledger;
        this.isCarrier = isCarrier;
        this.budget = budget;
    }

    /**
     * @param newNanos how long threads were queued because of held carriers since the last sample,
     *     summed over the threads
     * @param elapsedNanos the time since then
     * @param reportedByHooks the pins in progress that hooks have reported
     * @param active returns all pins in progress, with their sites, at the cost of reading stacks
     */
    void add(
            double newNanos,
            long elapsedNanos,
            Collection<ActivePin> reportedByHooks,
            Supplier<List<ActivePin>> active) {
        budget.passed(elapsedNanos);
        if (newNanos <= 0) {
            return;
        }
        leftNanos += newNanos;
        Collection<ActivePin> all = budget.isLeft() ? budget.spend(active) : reportedByHooks;
        List<ActivePin> pins = all.stream().filter(pin -> isCarrier.test(pin.carrier())).toList();
        List<ActivePin> causes = pins.stream().filter(pin -> !pin.compensated()).toList();
        if (causes.isEmpty()) {
            causes = pins;
        }
        if (causes.isEmpty()) {
            return;
        }
        long eachNanos = (long) (leftNanos / causes.size());
        for (ActivePin pin : causes) {
            ledger.addWaited(pin, eachNanos);
        }
        leftNanos -= (double) eachNanos * causes.size();
    }
}
