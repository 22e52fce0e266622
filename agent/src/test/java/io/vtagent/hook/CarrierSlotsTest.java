package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CarrierSlotsTest {
    private final CarrierSlots slots = new CarrierSlots(Buckets.SINGLE);

    @Test
    void carriersThatComeAndGoHaveTheAllowanceForWalksTogether() throws InterruptedException {
        CarrierSlot first = slotOfANewCarrier();
        for (int i = 0; i <= WalkBudget.FIRST; i++) {
            first.walked(0, 2 * WalkBudget.ALLOWANCE_NANOS);
        }
        assertThat(first.mayWalk(0)).isFalse();
        assertThat(slotOfANewCarrier().mayWalk(0)).as("both at a time").isTrue();

        Iterator<CarrierSlot> all = slots.iterator();
        assertThat(all.next()).isSameAs(first);
        all.remove();
        assertThat(slots).doesNotContain(first);
        assertThat(slotOfANewCarrier().mayWalk(0)).as("of the one that has ended").isFalse();
        assertThat(slotOfANewCarrier().mayWalk(0)).isTrue();
    }

    private CarrierSlot slotOfANewCarrier() throws InterruptedException {
        AtomicReference<CarrierSlot> slot = new AtomicReference<>();
        Thread.ofPlatform().start(() -> slot.set(slots.current())).join();
        return Objects.requireNonNull(slot.get());
    }
}
