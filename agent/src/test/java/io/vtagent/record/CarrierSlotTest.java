package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class CarrierSlotTest {
    private final Thread thread = new Thread(() -> {});
    private final Thread other = new Thread(() -> {});
    private final CarrierSlot slot = new CarrierSlot(Thread.currentThread(), Buckets.SINGLE, true);

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
        assertThat(slot.interval().kind()).isEqualTo(PinKind.PARK);
    }

    @Test
    void nothingIsRecordedWhileRecording() {
        slot.begin(thread, PinKind.PARK, PinReason.MONITOR, null, null);
        slot.end(thread);
        slot.recording = true;
        slot.begin(thread, PinKind.IO, PinReason.NONE, null, null);
        slot.compensated(true);
        assertThat(slot.end(thread)).isNegative();
        slot.recording = false;
        slot.record(5, PinReason.MONITOR, null);

        assertThat(slot.histograms().of(PinKey.index(PinKind.PARK, PinReason.MONITOR, false)))
                .isNotNull();
        assertThat(slot.histograms().of(PinKey.index(PinKind.PARK, PinReason.MONITOR, true)))
                .isNull();
    }

    @Test
    void noStackIsWalkedOnACarrierOfTheAgentsOwn() {
        assertThat(new CarrierSlot(thread, Buckets.SINGLE, false).mayWalk(Long.MAX_VALUE))
                .isFalse();
    }

    @Test
    void aThreadThatWentOnElsewhereLeavesNothingBehind() {
        slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, null);
        slot.abandon(thread);
        assertThat(slot.active(System.nanoTime())).isNull();
    }

    @Test
    void aThreadThatWentOnElsewhereDoesNotTouchTheIntervalOfTheNext() {
        slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, null);
        slot.begin(other, PinKind.PARK, PinReason.NATIVE, null, null);
        slot.abandon(thread);
        assertThat(slot.active(System.nanoTime())).isNotNull();
        assertThat(slot.end(other)).isNotNegative();
    }

    @Test
    void whyAYieldFailedIsToldOnce() {
        slot.yieldFailed(PinReason.NATIVE);
        assertThat(slot.takeFailedYield()).isEqualTo(PinReason.NATIVE);
        assertThat(slot.takeFailedYield()).isEqualTo(PinReason.NONE);
    }
}
