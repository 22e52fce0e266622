package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.vm.FramesOfInterest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HookAttributionTest {
    private final HookAttribution attribution = new HookAttribution(new Attribution(10, new FramesOfInterest(10)), 0);
    private final CarrierSlot slot = new CarrierSlot(Thread.currentThread(), Buckets.SINGLE, true);
    private @Nullable Site site;

    @Test
    void onceWalkingHasCostItsShareOnlyWhoWantsThemWhateverTheyCostGetsSites() {
        for (int i = 0; i <= WalkBudget.FIRST; i++) {
            slot.walked(WalkBudget.ALLOWANCE_NANOS);
        }
        attribution.warmUp();

        assertThat(siteOnVirtualThread()).isNull();
        attribution.whateverItCosts(true);
        assertThat(siteOnVirtualThread()).isNotNull();
        attribution.whateverItCosts(false);
        assertThat(siteOnVirtualThread()).isNull();
    }

    private @Nullable Site siteOnVirtualThread() {
        OnVirtualThread.run(() -> site = attribution.siteOf(slot, PinKind.PARK, PinReason.NATIVE, 0, null));
        return site;
    }
}
