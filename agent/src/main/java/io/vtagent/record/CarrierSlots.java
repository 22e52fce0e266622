package io.vtagent.record;

import io.vtagent.vm.CarrierLocal;
import io.vtagent.vm.OwnScheduler;
import io.vtagent.vm.VirtualThreads;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The slots of all carriers. Lock-free. Iterates, with removal, over those of the application's carriers. */
final class CarrierSlots implements Iterable<CarrierSlot> {
    private final Queue<CarrierSlot> slots = new ConcurrentLinkedQueue<>();

    /** Those of the agent's own carriers, which count nowhere: by them the sensors are proved. */
    private final Queue<CarrierSlot> ownSlots = new ConcurrentLinkedQueue<>();

    private final CarrierLocal<CarrierSlot> current;
    private volatile boolean anyEver;

    CarrierSlots(Buckets buckets) {
        current = new CarrierLocal<>(carrier -> {
            boolean own = OwnScheduler.owns(carrier);
            CarrierSlot slot = new CarrierSlot(carrier, buckets, !own);
            (own ? ownSlots : slots).add(slot);
            anyEver |= !own;
            return slot;
        });
    }

    /** Whether there has ever been one of the application's. */
    boolean anyEver() {
        return anyEver;
    }

    /** That of the carrier that the current thread is mounted on. */
    CarrierSlot current() {
        return current.get();
    }

    @Override
    public Iterator<CarrierSlot> iterator() {
        return slots.iterator();
    }

    List<ActivePin> active() {
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

    Set<PinKind> kindsOnOwnCarriers() {
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
