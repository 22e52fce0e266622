package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class CarrierSlotTest {
    private final Thread thread = new Thread(() -> {});
    private final Thread other = new Thread(() -> {});
    private final CarrierSlot slot = new CarrierSlot(Thread.currentThread(), Buckets.SINGLE);

    @Test
    void anIntervalIsActiveFromItsBeginningToItsEnd() {
        assertThat(slot.active(System.nanoTime())).isNull();
        slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, null);
        ActivePin active = Objects.requireNonNull(slot.active(System.nanoTime()));
        assertThat(active.kind()).isEqualTo(PinKind.WAIT);
        assertThat(active.thread()).isSameAs(thread);
        assertThat(slot.end(thread)).isNotNegative();
        assertThat(slot.active(System.nanoTime())).isNull();
    }

    @Test
    void aNestedIntervalDoesNotEndTheOuterOne() {
        slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, null);
        assertThat(slot.nest(thread)).isTrue();
        assertThat(slot.end(thread)).isNegative();
        assertThat(slot.active(System.nanoTime())).isNotNull();
        assertThat(slot.end(thread)).isNotNegative();
    }

    @Test
    void aThreadThatLeftTheCarrierIsReplacedByTheNext() {
        slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, null);
        slot.begin(other, PinKind.PARK, PinReason.NATIVE, null, null);
        assertThat(slot.end(thread)).isNegative();
        assertThat(slot.end(other)).isNotNegative();
        assertThat(slot.kind()).isEqualTo(PinKind.PARK);
    }

    @Test
    void nothingIsRecordedWhileRecording() {
        slot.begin(thread, PinKind.PARK, PinReason.MONITOR, null, null);
        slot.end(thread);
        assertThat(slot.beginAttribution(1_000_000)).isTrue();
        slot.begin(thread, PinKind.IO, PinReason.NONE, null, null);
        slot.compensated(true);
        assertThat(slot.end(thread)).isNegative();
        slot.endAttribution(0);
        slot.record(5, PinReason.MONITOR, null);

        assertThat(slot.tallies().of(PinKey.index(PinKind.PARK, PinReason.MONITOR, false)))
                .isNotNull();
        assertThat(slot.tallies().of(PinKey.index(PinKind.PARK, PinReason.MONITOR, true)))
                .isNull();
    }

    @Test
    void stacksAreWalkedOnlyForTheirShareOfTheHeldTime() {
        assertThat(slot.beginAttribution(0)).isTrue();
        slot.endAttribution(Ledger.WALK_ALLOWANCE_NANOS + 1_000_000);
        assertThat(slot.beginAttribution(1_000_000)).isFalse();
        assertThat(slot.beginAttribution(1_000_000L * Ledger.WALK_SHARE)).isTrue();
    }

    @Test
    void whyAYieldFailedIsToldOnce() {
        slot.yieldFailed(PinReason.NATIVE);
        assertThat(slot.takeFailedYield()).isEqualTo(PinReason.NATIVE);
        assertThat(slot.takeFailedYield()).isEqualTo(PinReason.NONE);
    }
}
