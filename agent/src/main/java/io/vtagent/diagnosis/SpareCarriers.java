package io.vtagent.diagnosis;

import io.vtagent.pin.ActivePin;
import io.vtagent.scheduler.CarrierPool;
import java.util.Collection;
import java.util.TreeSet;

/**
 * Explains that the carriers which the scheduler added to compensate for held ones have ended.
 *
 * <p>To compensate, ForkJoinPool removes a held carrier from those that it counts as active. It
 * adds a spare carrier once fewer than {@code minRunnable} are active. A spare carrier that is idle
 * ends after the keep-alive of 30 s. Held carriers still count as existing, so while there are as
 * many of them as the parallelism, queued work does not make the pool add another carrier.
 */
final class SpareCarriers {
    private SpareCarriers() {}

    /**
     * Returns a sentence that follows a verdict; empty if no spare carriers have ended.
     *
     * @param pool in which every carrier is held and work is queued
     * @param pins the pins in progress
     */
    static String ended(CarrierPool pool, Collection<ActivePin> pins) {
        // fewer than minRunnable are active only after spare carriers have ended
        if (pool.atWork() >= pool.minRunnable() || pool.size() >= pool.max()) {
            return "";
        }
        int compensated = 0;
        TreeSet<String> kinds = new TreeSet<>();
        for (ActivePin pin : pins) {
            if (pin.compensated()) {
                compensated++;
                kinds.add('`' + pin.kind().label() + '`');
            }
        }
        return compensated == 0
                ? ""
                : " The scheduler had compensated for "
                        + compensated
                        + " of them ("
                        + String.join(", ", kinds)
                        + "), but its spare carriers have ended because they had no work for 30"
                        + " s, and it adds none while these are held.";
    }
}
