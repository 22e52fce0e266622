package io.vtagent.hook;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.scheduler.CarrierLocal;
import io.vtagent.scheduler.OwnScheduler;
import io.vtagent.scheduler.VirtualThreads;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The slots of all carriers. Lock-free. The iterator covers the application's carriers and supports
 * removal.
 */
public final class CarrierSlots implements Iterable<CarrierSlot> {
    private final Queue<CarrierSlot> slots = new ConcurrentLinkedQueue<>();

    /**
     * The slots of the agent's own carriers, which the self-test uses and which are not counted.
     */
    private final Queue<CarrierSlot> ownSlots = new ConcurrentLinkedQueue<>();

    /**
     * The budgets of carriers that have ended. New carriers reuse them, so that there are only as
     * many allowances as there are carriers at a time.
     */
    private final Queue<WalkBudget> budgets = new ConcurrentLinkedQueue<>();

    private final CarrierLocal<CarrierSlot> current;

    public CarrierSlots(Buckets buckets) {
        current =
                new CarrierLocal<>() {
                    @Override
                    protected CarrierSlot create(Thread carrier) {
                        boolean own = OwnScheduler.owns(carrier);
                        WalkBudget left = own ? null : budgets.poll();
                        CarrierSlot slot =
                                new CarrierSlot(
                                        carrier,
                                        buckets,
                                        !own,
                                        left == null ? new WalkBudget() : left);
                        (own ? ownSlots : slots).add(slot);
                        return slot;
                    }
                };
        budgets.add(new WalkBudget()); // links what a hook would have to link otherwise
        budgets.poll();
    }

    /** Returns the slot of the carrier that the current thread is mounted on. */
    CarrierSlot current() {
        return current.get();
    }

    @Override
    public Iterator<CarrierSlot> iterator() {
        Iterator<CarrierSlot> all = slots.iterator();
        return new Iterator<>() {
            private @Nullable CarrierSlot last;

            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public CarrierSlot next() {
                CarrierSlot next = all.next();
                last = next;
                return next;
            }

            @Override
            public void remove() {
                all.remove();
                CarrierSlot removed = last;
                if (removed != null) {
                    budgets.add(removed.walkBudget());
                }
            }
        };
    }

    /** Returns the pins in progress. */
    public List<ActivePin> active() {
        List<ActivePin> active = new ArrayList<>();
        long nowNanos = System.nanoTime();
        for (CarrierSlot slot : slots) {
            ActivePin pin = slot.active(nowNanos);
            if (pin != null && VirtualThreads.isMounted(pin.thread(), pin.carrier())) {
                active.add(pin);
            }
        }
        return active;
    }

    public Set<PinKind> kindsOnOwnCarriers() {
        Set<PinKind> kinds = EnumSet.noneOf(PinKind.class);
        for (CarrierSlot slot : ownSlots) {
            for (PinKind kind : PinKind.values()) {
                if (slot.histograms().unattributed(kind) != null) {
                    kinds.add(kind);
                }
            }
        }
        return kinds;
    }
}
