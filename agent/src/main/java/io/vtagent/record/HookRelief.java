package io.vtagent.record;

import io.vtagent.vm.StackHeadroom;
import io.vtagent.vm.VirtualThreads;
import org.jspecify.annotations.Nullable;

/** What the {@link Hooks} do to have somebody make up for carriers that are held, with the guarantees of all hooks. */
final class HookRelief {
    private volatile Reliever reliever = Reliever.NONE;

    void relieveBy(Reliever newReliever) {
        reliever = newReliever;
    }

    /** Loads and links what is needed. For a thread of the agent. */
    void warmUp() {
        reliever.warmUp();
    }

    /** Whether {@link #begin} would ask to make up for the carrier of {@code slot}, held at {@code site}. */
    boolean isWanted(CarrierSlot slot, @Nullable Site site) {
        return site != null && !slot.recording && reliever.wants(site);
    }

    /** Asks to make up for the carrier of {@code slot}, whose interval has just begun, if its {@code site} is known. */
    void begin(CarrierSlot slot, @Nullable Site site) {
        if (site == null || !isWanted(slot, site)) {
            return;
        }
        try {
            StackHeadroom.claim();
            if (slot.relief().isToBeGivenBack()) {
                end(slot, 0); // what a hook that failed has left
            }
            VirtualThreads.pin();
        } catch (Throwable nearTheEndOfTheStack) {
            return;
        }
        CarrierRelief relief = slot.relief();
        relief.ask(true);
        try {
            long begun = reliever.begin(site);
            boolean kept = false;
            try {
                relief.begun(begun);
                kept = true;
            } finally {
                if (!kept && !relief.isToBeGivenBack()) { // what nobody knows of would never be given back
                    reliever.end(begun, 0);
                }
            }
            if (relief.takeCarrierMade() && Reliever.isMadeUpFor(begun)) {
                reliever.carrierAdded();
            }
            boolean bySchedulerItself = slot.takeCompensation();
            slot.compensated(bySchedulerItself || Reliever.isMadeUpFor(begun));
        } finally {
            relief.ask(false);
            VirtualThreads.unpin();
        }
    }

    /** Gives back what was done for the interval that {@code slot} had last. */
    void end(CarrierSlot slot, long durationNanos) {
        long begun = slot.relief().take();
        try {
            reliever.end(begun, durationNanos);
        } catch (Throwable failure) {
            slot.relief().begun(begun); // for the next one
            throw failure;
        }
    }

    /** An interval has ended for which nothing was asked. */
    void ended(long durationNanos) {
        reliever.end(Reliever.NOTHING, durationNanos);
    }

    /** Gives back what hooks that failed could not. */
    void giveBackWhatWasLost(Iterable<CarrierSlot> slots) {
        for (CarrierSlot slot : slots) {
            if (slot.isReliefLost()) {
                end(slot, 0);
            }
        }
    }

    /** Gives back what was done for every carrier, held or not. */
    void giveBackAll(Iterable<CarrierSlot> slots) {
        for (CarrierSlot slot : slots) {
            if (slot.relief().isToBeGivenBack()) {
                end(slot, 0);
            }
        }
    }

    /** @param slot of the carrier that {@code thread} is mounted on, or null if it is not a virtual thread */
    void carrierMade(Thread thread, @Nullable CarrierSlot slot) {
        if (slot == null) {
            reliever.carrierMade(thread);
        } else {
            slot.relief().carrierMade();
        }
    }

    void unmounted() {
        reliever.unmounted();
    }
}
