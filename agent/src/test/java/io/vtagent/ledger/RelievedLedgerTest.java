package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.vtagent.hook.Attribution;
import io.vtagent.hook.CarrierCompensator;
import io.vtagent.hook.CarrierSlots;
import io.vtagent.hook.CarrierStartSignal;
import io.vtagent.hook.HookAttribution;
import io.vtagent.hook.HookRelief;
import io.vtagent.hook.Hooks;
import io.vtagent.hook.PinListeners;
import io.vtagent.hook.ReentryCheck;
import io.vtagent.hotspot.CountedContention;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The requests of the ledger to the compensator of held carriers, and its use of the answers. */
class RelievedLedgerTest {
    private final Ledger ledger =
            new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(64), 10, Buckets.SINGLE);

    /** The token that the sensor returned at the beginning of a pin, for its end. */
    private volatile @Nullable Object began;

    private final FakeReliever reliever = new FakeReliever();

    /** Gives the configured answers and records what it was asked. */
    private final class FakeReliever implements CarrierCompensator {
        private final List<String> asked = new ArrayList<>();
        private long answer = 7;
        private boolean schedulerAccepts;
        private boolean schedulerAdds;
        private boolean fails;
        private boolean wants = true;
        private boolean compensates = true;

        @Override
        public boolean wants(Site site) {
            return wants;
        }

        @Override
        public boolean compensates(Thread carrier) {
            return compensates;
        }

        @Override
        public long begin(Site site) {
            asked.add("begin " + site.key().kind().label());
            if (schedulerAccepts) {
                ledger.hooks().onCompensationTried(true);
            }
            if (schedulerAdds) {
                ledger.hooks().onCarrierMade();
            }
            return answer;
        }

        @Override
        public void end(long begun, long heldNanos) {
            if (fails) {
                throw new IllegalStateException("cannot");
            }
            assertThat(heldNanos).isNotNegative();
            if (begun != 0 || heldNanos > 0) { // or nothing was left of the pin before
                asked.add("end " + begun);
            }
        }

        @Override
        public void unmounted() {
            asked.add("unmounted");
        }

        @Override
        public void carrierAdded() {
            asked.add("added");
        }

        @Override
        public void carrierMade(Thread maker) {
            asked.add("made by " + maker.getName());
        }
    }

    @Test
    void whatIsCompensatedIsEndedWithItAndCountsAsCompensated() {
        begin();
        OnVirtualThread.run(
                () -> {
                    ledger.hooks().onYieldFailed("MONITOR");
                    began = ledger.hooks().onParkBegan();
                    assertThat(ledger.active())
                            .singleElement()
                            .satisfies(pin -> assertThat(pin.compensated()).isTrue());
                    ledger.hooks().onParkEnded(began);
                    Object entry = Objects.requireNonNull(ledger.hooks().onEnterBegan(this));
                    while (ledger.active().get(0).ageNanos() < 2 * Hooks.MIN_ENTRY_NANOS) {
                        Thread.onSpinWait();
                    }
                    ledger.hooks().onEnterEnded(entry);
                });
        assertThat(reliever.asked).containsExactly("begin park", "end 7", "begin enter", "end 7");
        assertThat(counts())
                .isEqualTo(
                        Map.of(
                                new PinKey(PinKind.PARK, PinReason.MONITOR, true), 1L,
                                new PinKey(PinKind.ENTER, PinReason.MONITOR, true), 1L));
    }

    /**
     * Not even for an entry that {@link ReentryCheck} does not ask about: to add the carrier would
     * take long enough to count.
     */
    @Test
    void nothingIsAskedForWhenAnOwnerEntersItsMonitorAgain() {
        begin();
        Object monitor = new Object();
        OnVirtualThread.run(
                () -> {
                    reliever.wants = false;
                    enter(monitor, 2 * ReentryCheck.FIRST);
                    reliever.wants = true;
                    synchronized (monitor) {
                        enter(monitor, 10 * ReentryCheck.SELDOM);
                    }
                });
        assertThat(reliever.asked).doesNotContain("begin enter");
    }

    private void enter(Object monitor, int times) {
        for (int i = 0; i < times; i++) {
            Object entry = ledger.hooks().onEnterBegan(monitor);
            if (entry != null) {
                ledger.hooks().onEnterEnded(entry);
            }
        }
    }

    /** Such an entry has no duration, but what was begun for it lasts until it is ended. */
    @Test
    void anEntryThatIsKnownNotToHaveBlockedIsEndedTooAndDoesNotCount() {
        CountedContention count = new CountedContention("vtagent.test.relieved");
        HookRelief relief = new HookRelief();
        CarrierSlots slots = new CarrierSlots(Buckets.SINGLE);
        HookAttribution attribution =
                new HookAttribution(new Attribution(10, new FramesOfInterest(64)), 0);
        Hooks hooks =
                new Hooks(
                        true,
                        slots,
                        attribution,
                        relief,
                        new PinListeners(),
                        new CarrierStartSignal(),
                        count.proved());
        relief.compensateWith(reliever);
        attribution.warmUp();
        OnVirtualThread.run(
                () -> {
                    Object monitor = new Object();
                    hooks.onEnterEnded(Objects.requireNonNull(hooks.onEnterBegan(monitor)));
                });
        assertThat(reliever.asked).containsExactly("begin enter", "end 7");
        assertThat(slots)
                .singleElement()
                .satisfies(slot -> assertThat(slot.histograms().isEmpty()).isTrue());
    }

    @Test
    void whatIsNotCompensatedIsEndedTooAndDoesNot() {
        begin();
        for (long answer : new long[] {0, -1}) {
            reliever.answer = answer;
            OnVirtualThread.run(
                    () -> {
                        Object parked = ledger.hooks().onParkBegan();
                        assertThat(ledger.active())
                                .singleElement()
                                .satisfies(pin -> assertThat(pin.refused()).isEqualTo(answer < 0));
                        ledger.hooks().onParkEnded(parked);
                    });
        }
        assertThat(reliever.asked).containsExactly("begin park", "end 0", "begin park", "end -1");
        assertThat(counts()).isEqualTo(Map.of(new PinKey(PinKind.PARK, PinReason.NONE, false), 2L));
    }

    @Test
    void anAnswerIsGivenBackOnce() {
        begin();
        OnVirtualThread.run(
                () -> {
                    park();
                    ledger.hooks().onIoBegan();
                    ledger.hooks().onIoEnded();
                });
        assertThat(reliever.asked).containsExactly("begin park", "end 7", "end 0");
    }

    @Test
    void aCarrierThatTheSchedulerGaveCountsAsCompensatedThoughNothingWasBegun() {
        begin();
        reliever.answer = 0;
        reliever.schedulerAccepts = true;
        OnVirtualThread.run(this::park);
        assertThat(counts()).isEqualTo(Map.of(new PinKey(PinKind.PARK, PinReason.NONE, true), 1L));
    }

    @Test
    void aWaitIsLeftToTheSchedulerButItsEndIsReported() {
        begin();
        OnVirtualThread.run(
                () -> {
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks().onWaitEnded(began, null);
                    began = ledger.hooks().onWaitBegan();
                    ledger.hooks().onWaitEnded(began, new IllegalMonitorStateException());
                });
        assertThat(reliever.asked).containsExactly("end 0", "end 0");
    }

    @Test
    void beforeItIsWarmNothingIsAskedForButTheEndIsReported() {
        ledger.compensateWith(reliever);
        OnVirtualThread.run(this::park);
        assertThat(reliever.asked).containsExactly("end 0");
    }

    @Test
    void aCarrierThatIsAddedWhileAskingIsTheRelieversAndOthersAreNot() throws InterruptedException {
        begin();
        reliever.schedulerAdds = true;
        OnVirtualThread.run(
                () -> {
                    park();
                    ledger.hooks().onCarrierMade();
                    reliever.schedulerAdds = false;
                    park();
                });
        assertThat(reliever.asked)
                .containsExactly("begin park", "added", "end 7", "begin park", "end 7");
    }

    @Test
    void aCarrierThatWasMadeAndCouldNotBeStartedIsNotAdded() {
        begin();
        reliever.schedulerAdds = true;
        reliever.answer = CarrierCompensator.NOTHING;
        OnVirtualThread.run(
                () -> {
                    park();
                    reliever.schedulerAdds = false;
                    reliever.answer = 7;
                    park();
                });
        assertThat(reliever.asked).containsExactly("begin park", "end 0", "begin park", "end 7");
    }

    @Test
    void theCompensatorIsNotifiedOfACarrierThatAPlatformThreadMakes() throws InterruptedException {
        begin();
        Thread.ofPlatform().name("maker").start(ledger.hooks()::onCarrierMade).join();
        assertThat(reliever.asked).containsExactly("made by maker");
    }

    @Test
    void thatAThreadLeftItsCarrierIsPassedOn() {
        begin();
        OnVirtualThread.run(ledger.hooks()::onUnmounted);
        assertThat(reliever.asked).containsExactly("unmounted");
    }

    @Test
    void whatCouldNotBeGivenBackIsGivenBackOnceNobodyHoldsTheCarrierAnyMore() {
        begin();
        OnVirtualThread.run(this::parkAndFailToGiveBack);
        ledger.releaseLost();
        ledger.releaseLost();
        assertThat(reliever.asked).containsExactly("begin park", "end 7");
    }

    @Test
    void orWhenTheNextPinOfTheCarrierBegins() {
        begin();
        OnVirtualThread.run(
                () -> {
                    parkAndFailToGiveBack();
                    began = ledger.hooks().onParkBegan();
                    assertThat(reliever.asked).containsExactly("begin park", "end 7", "begin park");
                    ledger.hooks().onParkEnded(began);
                });
    }

    @Test
    void whatIsHeldIsNotLostButIsGivenBackWithAllTheRest() {
        begin();
        OnVirtualThread.run(
                () -> {
                    began = ledger.hooks().onParkBegan();
                    ledger.releaseLost();
                    assertThat(reliever.asked).containsExactly("begin park");
                    ledger.releaseAll();
                    ledger.releaseAll();
                    assertThat(reliever.asked).containsExactly("begin park", "end 7");
                    ledger.hooks().onParkEnded(began);
                });
        assertThat(reliever.asked).containsExactly("begin park", "end 7", "end 0");
    }

    @Test
    void aRelieverThatWouldDoNothingIsNotAsked() {
        reliever.wants = false;
        begin();
        OnVirtualThread.run(
                () -> {
                    began = ledger.hooks().onParkBegan();
                    assertThat(ledger.active())
                            .singleElement()
                            .satisfies(pin -> assertThat(pin.compensated()).isFalse());
                    ledger.hooks().onParkEnded(began);
                });
        assertThat(reliever.asked).noneMatch(what -> what.startsWith("begin"));
    }

    @Test
    void norIsItAskedForCarriersOfAnotherScheduler() {
        reliever.compensates = false;
        begin();
        OnVirtualThread.run(this::park);
        assertThat(reliever.asked).containsExactly("end 0");
    }

    @Test
    void stacksAreReadWhenPinsBeginOnlyWhileItIsWanted() {
        begin();
        assertThat(ledger.reportsSitesInProgress()).isTrue();
        ledger.relieves(false);
        assertThat(ledger.reportsSitesInProgress()).isFalse();
        ledger.relieves(true);
        assertThat(ledger.reportsSitesInProgress()).isTrue();
    }

    @Test
    void withoutRelieverNothingIsCompensated() {
        LedgerWarmUp.warmUp(ledger);
        OnVirtualThread.run(
                () -> {
                    park();
                    ledger.hooks().onCarrierMade();
                    ledger.hooks().onUnmounted();
                });
        assertThat(counts()).isEqualTo(Map.of(new PinKey(PinKind.PARK, PinReason.NONE, false), 1L));
    }

    private void begin() {
        ledger.compensateWith(reliever);
        LedgerWarmUp.warmUp(ledger);
    }

    private void park() {
        began = ledger.hooks().onParkBegan();
        ledger.hooks().onParkEnded(began);
    }

    private void parkAndFailToGiveBack() {
        reliever.fails = true;
        assertThatIllegalStateException().isThrownBy(this::park);
        reliever.fails = false;
    }

    private Map<PinKey, Long> counts() {
        Map<PinKey, Long> counts = new HashMap<>();
        ledger.totals().byKey().forEach((key, total) -> counts.put(key, total.count()));
        return counts;
    }
}
