package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.OnVirtualThread;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HookAttributionTest {
    /** A walk takes more than 100 ns. */
    private static final long MORE_WALKS_THAN_ALLOWED = WalkBudget.ALLOWANCE_NANOS / 100;

    private final HookAttribution attribution =
            new HookAttribution(new Attribution(10, new FramesOfInterest(10)), 0);
    private final CarrierSlot slot = new CarrierSlot(Thread.currentThread(), Buckets.SINGLE, true);
    private @Nullable Attributed site;

    @Test
    void onceWalkingHasCostItsShareOnlyListenersThatWantThemGetSites() {
        for (int i = 0; i <= WalkBudget.FIRST; i++) {
            slot.walked(0, WalkBudget.ALLOWANCE_NANOS);
        }
        attribution.warmUp();

        assertThat(siteOnVirtualThread()).isNull();
        attribution.whateverItCosts(true);
        assertThat(siteOnVirtualThread()).isNotNull();
        attribution.whateverItCosts(false);
        assertThat(siteOnVirtualThread()).isNull();
    }

    @Test
    void everyWalkIsPaidForUntilTheShareIsUsedUp() {
        attribution.warmUp();
        OnVirtualThread.run(
                () -> {
                    for (int walks = 0; walks < MORE_WALKS_THAN_ALLOWED; walks++) {
                        site = attribution.attribute(slot, PinKind.PARK, PinReason.NATIVE, 0, null);
                        if (site == null) {
                            return;
                        }
                    }
                });
        assertThat(site).isNull();
    }

    @Test
    void whatAListenerOrAWalkDoesIsNotWalked() {
        attribution.warmUp();
        attribution.walksAtBeginAlways(true);
        assertThat(siteAtBegin()).isNotNull();
        slot.recording = true;
        assertThat(siteAtBegin()).isNull();
    }

    @Test
    void beforePinsBeginLessTimeIsSpentExceptForRelief() {
        attribution.warmUp();
        for (int i = 0; i <= WalkBudget.FIRST; i++) {
            slot.walked(0, 2 * WalkBudget.ALLOWANCE_NANOS);
        }
        slot.record(3 * WalkBudget.SHARE * WalkBudget.ALLOWANCE_NANOS, PinReason.NATIVE, null);

        assertThat(siteOnVirtualThread()).as("when it has ended").isNotNull();
        assertThat(siteAtBegin()).isNull();
        attribution.walksAtBeginAlways(true);
        assertThat(siteAtBegin()).isNotNull();
    }

    private @Nullable Attributed siteAtBegin() {
        OnVirtualThread.run(
                () -> site = attribution.atBegin(slot, PinKind.PARK, PinReason.NATIVE, null));
        return site;
    }

    private @Nullable Attributed siteOnVirtualThread() {
        OnVirtualThread.run(
                () -> site = attribution.attribute(slot, PinKind.PARK, PinReason.NATIVE, 0, null));
        return site;
    }
}
