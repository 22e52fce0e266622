package io.vtagent.hook;

import io.vtagent.jvm.StackHeadroom;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * Requests compensation for held carriers from a {@link CarrierCompensator}, on behalf of the
 * {@link Hooks} and with the guarantees of all hooks.
 */
public final class HookRelief {
    private volatile CarrierCompensator compensator = CarrierCompensator.NONE;

    public void compensateWith(CarrierCompensator newCompensator) {
        compensator = newCompensator;
    }

    /** Loads and links what the compensator needs. Called on a thread of the agent. */
    public void warmUp() {
        compensator.warmUp();
    }

    /**
     * Returns whether {@link #begin} would request compensation for the carrier of {@code slot},
     * held at {@code site}.
     */
    boolean isWanted(CarrierSlot slot, @Nullable Site site) {
        return site != null
                && !slot.recording
                && compensator.wants(site)
                && compensator.compensates(slot.carrier());
    }

    /**
     * Requests compensation for the carrier of {@code slot}, whose interval has just begun, if its
     * {@code site} is known.
     */
    void begin(CarrierSlot slot, @Nullable Site site) {
        if (site == null || !isWanted(slot, site)) {
            return;
        }
        try {
            StackHeadroom.claim();
            if (slot.relief().isToBeReleased()) {
                end(slot, 0); // left by a hook that failed
            }
            VirtualThreads.pin();
        } catch (Throwable nearTheEndOfTheStack) {
            return;
        }
        CompensationToken relief = slot.relief();
        relief.ask(true);
        try {
            long begun = compensator.begin(site);
            boolean kept = false;
            try {
                relief.begun(begun);
                kept = true;
            } finally {
                if (!kept && !relief.isToBeReleased()) {
                    // an unrecorded token would never be released
                    compensator.end(begun, 0);
                }
            }
            if (relief.takeCarrierMade() && CarrierCompensator.isCompensated(begun)) {
                compensator.carrierAdded();
            }
            boolean bySchedulerItself = slot.takeCompensation();
            slot.compensated(bySchedulerItself || CarrierCompensator.isCompensated(begun));
        } finally {
            relief.ask(false);
            VirtualThreads.unpin();
        }
    }

    /** Releases the compensation for the interval that {@code slot} had last. */
    void end(CarrierSlot slot, long durationNanos) {
        end(slot, slot.relief().number(), durationNanos);
    }

    /**
     * @param number the number of the compensation to release; nothing happens if another thread
     *     has released it
     */
    private void end(CarrierSlot slot, long number, long durationNanos) {
        long begun = slot.relief().take(number);
        try {
            compensator.end(begun, durationNanos);
        } catch (Throwable failure) {
            slot.relief().begun(begun); // kept for the next attempt
            throw failure;
        }
    }

    /** Reports the end of an interval for which no compensation was requested. */
    void ended(long durationNanos) {
        compensator.end(CarrierCompensator.NOTHING, durationNanos);
    }

    /** Releases compensation that failed hooks could not release. */
    public void releaseLost(Iterable<CarrierSlot> slots) {
        for (CarrierSlot slot : slots) {
            long lost = slot.lostRelief();
            if (lost != 0) {
                end(slot, lost, 0);
            }
        }
    }

    /** Releases the compensation for every carrier, held or not. */
    public void releaseAll(Iterable<CarrierSlot> slots) {
        for (CarrierSlot slot : slots) {
            if (slot.relief().isToBeReleased()) {
                end(slot, 0);
            }
        }
    }

    /**
     * @param slot the slot of the carrier that {@code thread} is mounted on, or null if {@code
     *     thread} is not virtual
     */
    void carrierMade(Thread thread, @Nullable CarrierSlot slot) {
        if (slot == null) {
            compensator.carrierMade(thread);
        } else {
            slot.relief().carrierMade();
        }
    }

    void unmounted() {
        compensator.unmounted();
    }
}
