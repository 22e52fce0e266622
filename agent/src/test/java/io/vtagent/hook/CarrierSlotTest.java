package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class CarrierSlotTest {
    private static final long LOOKS_NANOS = 2_000_000_000;

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
        assertThat(slot.end(thread, true)).isNotNegative();
        assertThat(slot.active(System.nanoTime())).isNull();
    }

    /**
     * More threads read than there are CPUs, so that some lose theirs while they do, and go on in
     * another interval of the same thread.
     */
    @Test
    void twoIntervalsOfOneThreadAreNotMixed() throws InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        Object waited = new Object();
        LongAdder seen = new LongAdder();
        Queue<ActivePin> mixed = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        threads.add(
                new Thread(
                        () -> {
                            while (!ended.get()) {
                                slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, waited);
                                slot.end(thread, true);
                                slot.begin(thread, PinKind.IO, PinReason.NONE, null, null);
                                slot.end(thread, true);
                            }
                        }));
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(
                    new Thread(
                            () -> {
                                while (!ended.get()) {
                                    ActivePin active = slot.active(System.nanoTime());
                                    if (active != null) {
                                        seen.increment();
                                        boolean waits = active.kind() == PinKind.WAIT;
                                        if (waits != (active.reason() == PinReason.MONITOR)
                                                || waits != (active.monitor() == waited)) {
                                            mixed.add(active);
                                        }
                                    }
                                }
                            }));
        }
        threads.forEach(Thread::start);
        LockSupport.parkNanos(LOOKS_NANOS);
        ended.set(true);
        for (Thread each : threads) {
            each.join();
        }

        assertThat(seen.sum()).isPositive();
        assertThat(mixed).isEmpty();
    }

    @Test
    void aNestedIntervalDoesNotEndTheOuterOne() {
        slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, null);
        assertThat(slot.nest(thread)).isTrue();
        assertThat(slot.end(thread, true)).isNegative();
        assertThat(slot.active(System.nanoTime())).isNotNull();
        assertThat(slot.end(thread, true)).isNotNegative();
    }

    @Test
    void anIntervalThatNeedNotBeTimedEndsLikeAnyOther() {
        slot.begin(thread, PinKind.ENTER, PinReason.MONITOR, null, "monitor");
        assertThat(slot.nest(thread)).isTrue();
        assertThat(slot.end(thread, false)).isNegative();
        assertThat(slot.end(other, false)).isNegative();
        assertThat(slot.active(System.nanoTime())).isNotNull();
        assertThat(slot.end(thread, false)).isEqualTo(CarrierCompensator.UNTIMED);
        assertThat(slot.active(System.nanoTime())).isNull();
        assertThat(slot.interval().monitor()).isNull();
    }

    @Test
    void aThreadThatLeftTheCarrierIsReplacedByTheNext() {
        slot.begin(thread, PinKind.WAIT, PinReason.MONITOR, null, null);
        slot.begin(other, PinKind.PARK, PinReason.NATIVE, null, null);
        assertThat(slot.end(thread, true)).isNegative();
        assertThat(slot.end(other, true)).isNotNegative();
        assertThat(slot.interval().kind()).isEqualTo(PinKind.PARK);
    }

    @Test
    void nothingIsRecordedWhileRecording() {
        slot.begin(thread, PinKind.PARK, PinReason.MONITOR, null, null);
        slot.end(thread, true);
        slot.recording = true;
        slot.begin(thread, PinKind.IO, PinReason.NONE, null, null);
        slot.compensated(true);
        assertThat(slot.end(thread, true)).isNegative();
        slot.recording = false;
        slot.record(5, PinReason.MONITOR, null);

        assertThat(slot.histograms().of(PinKey.index(PinKind.PARK, PinReason.MONITOR, false)))
                .isNotNull();
        assertThat(slot.histograms().of(PinKey.index(PinKind.PARK, PinReason.MONITOR, true)))
                .isNull();
    }

    @Test
    void noStackIsWalkedOnACarrierOfTheAgentsOwn() {
        CarrierSlot own = new CarrierSlot(thread, Buckets.SINGLE, false);
        assertThat(own.mayWalk(Long.MAX_VALUE)).isFalse();
        assertThat(own.mayWalkAtBegin()).isFalse();
        assertThat(slot.mayWalkAtBegin()).isTrue();
    }

    @Test
    void theTimeThatPinsHeldTheCarrierPaysForMoreWalks() {
        for (int i = 0; i <= WalkBudget.FIRST; i++) {
            slot.walked(0, 2 * WalkBudget.ALLOWANCE_NANOS);
        }
        assertThat(slot.mayWalk(0)).isFalse();
        assertThat(slot.mayWalkAtBegin()).isFalse();

        slot.record(3 * WalkBudget.SHARE * WalkBudget.ALLOWANCE_NANOS, PinReason.NATIVE, null);
        assertThat(slot.mayWalk(0)).isTrue();
        assertThat(slot.mayWalkAtBegin()).as("for which less is meant").isFalse();
        slot.record(
                3 * WalkBudget.SHARE_AHEAD * WalkBudget.ALLOWANCE_NANOS, PinReason.NATIVE, null);
        assertThat(slot.mayWalkAtBegin()).isTrue();
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
        assertThat(slot.end(other, true)).isNotNegative();
    }

    @Test
    void whyAYieldFailedIsReportedOnce() {
        slot.yieldFailed(PinReason.NATIVE);
        assertThat(slot.takeFailedYield()).isEqualTo(PinReason.NATIVE);
        assertThat(slot.takeFailedYield()).isEqualTo(PinReason.NONE);
    }
}
