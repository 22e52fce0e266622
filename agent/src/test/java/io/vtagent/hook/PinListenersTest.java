package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.OnVirtualThread;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import io.vtagent.scheduler.OwnScheduler;
import io.vtagent.site.FramesOfInterest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PinListenersTest {
    private static final long THRESHOLD_NANOS = 1_000_000;

    private final Ledger ledger =
            new Ledger(true, THRESHOLD_NANOS, new FramesOfInterest(8), 8, Buckets.SINGLE);
    private final List<EndedPin> reported = new ArrayList<>();

    @Test
    void aPinIsReportedOnItsThreadWithWhatWasCounted() {
        Thread[] thread = new Thread[1];
        Thread[] reportedOn = new Thread[1];
        ledger.addListener(
                pin -> {
                    reported.add(pin);
                    reportedOn[0] = Thread.currentThread();
                });
        OnVirtualThread.run(
                () -> {
                    thread[0] = Thread.currentThread();
                    park(THRESHOLD_NANOS);
                });

        assertThat(reported).hasSize(1);
        EndedPin pin = reported.getFirst();
        assertThat(reportedOn[0]).isSameAs(thread[0]).isSameAs(pin.thread());
        assertThat(pin.threadId()).isEqualTo(thread[0].threadId());
        assertThat(pin.onItsThread()).isTrue();
        assertThat(pin.kind()).isEqualTo(PinKind.PARK);
        assertThat(pin.reason()).isEqualTo(PinReason.MONITOR);
        assertThat(pin.nanos()).isEqualTo(ledger.totals().nanos());
        assertThat(System.nanoTime() - pin.endedAtNanos()).isNotNegative();
    }

    @Test
    void onlyListenersThatKnowOwnersAreAskedForThem() {
        ledger.addListener(new Asked(false, "nobody's"));
        Asked knowing = new Asked(true, "mine");
        ledger.addListener(knowing);
        assertThat(ownerOfAPin()).isEqualTo("mine");
        ledger.removeListener(knowing);
        assertThat(ownerOfAPin()).isNull();
    }

    private @Nullable Object ownerOfAPin() {
        Object[] owner = new Object[1];
        OnVirtualThread.run(
                () -> {
                    Object begun = ledger.hooks().onParkBegan();
                    owner[0] = ledger.active().getFirst().owner();
                    ledger.hooks().onParkEnded(begun);
                });
        return owner[0];
    }

    private record Asked(boolean knowsOwners, Object owner) implements PinListener {
        @Override
        public void ended(EndedPin pin) {}
    }

    @Test
    void aPinThatIsShorterThanTheThresholdIsNotReported() {
        Ledger patient =
                new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(8), 8, Buckets.SINGLE);
        patient.addListener(reported::add);
        OnVirtualThread.run(
                () -> {
                    Object begun = patient.hooks().onParkBegan();
                    patient.hooks().onParkEnded(begun);
                });
        patient.add(PinKind.NATIVE, PinReason.NONE, 1, () -> null);

        assertThat(patient.totals().count()).isEqualTo(2);
        assertThat(reported).isEmpty();
    }

    @Test
    void aSampledPinIsReportedWithItsThreadAndItsEnd() {
        Thread thread = Thread.ofVirtual().unstarted(() -> {});
        ledger.addListener(reported::add);
        ledger.add(
                PinKind.NATIVE,
                PinReason.NONE,
                THRESHOLD_NANOS,
                PinnedThread.of(thread, 17),
                () -> null);

        assertThat(reported)
                .containsExactly(
                        new EndedPin(
                                PinKind.NATIVE,
                                PinReason.NONE,
                                false,
                                null,
                                THRESHOLD_NANOS,
                                17,
                                thread,
                                thread.threadId(),
                                false));
    }

    @Test
    void aRemovedListenerGetsNothingAndTheOthersDo() {
        List<EndedPin> others = new ArrayList<>();
        PinListener listener = reported::add;
        ledger.addListener(listener);
        ledger.addListener(others::add);
        ledger.removeListener(listener);
        ledger.add(PinKind.NATIVE, PinReason.NONE, THRESHOLD_NANOS, () -> null);

        assertThat(reported).isEmpty();
        assertThat(others).hasSize(1);
    }

    @Test
    void whatAListenerDoesIsNotRecordedAndWhatItThrowsIsSwallowed() {
        ledger.addListener(
                pin -> {
                    Object begun = ledger.hooks().onParkBegan();
                    ledger.hooks().onParkEnded(begun);
                    throw new IllegalStateException("the listener's own");
                });
        OnVirtualThread.run(
                () -> {
                    park(THRESHOLD_NANOS);
                    park(THRESHOLD_NANOS);
                });

        assertThat(ledger.totals().count()).isEqualTo(2);
    }

    @Test
    void thePinsByWhichTheSensorsAreProvedAreNotReported() {
        ledger.addListener(reported::add);
        try (OwnScheduler scheduler = new OwnScheduler()) {
            scheduler.start(() -> park(THRESHOLD_NANOS)).join();
        }

        assertThat(ledger.kindsOnOwnCarriers()).containsExactly(PinKind.PARK);
        assertThat(reported).isEmpty();
    }

    private void park(long nanos) {
        ledger.hooks().onYieldFailed("MONITOR");
        @Nullable Object begun = ledger.hooks().onParkBegan();
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < nanos) {
            Thread.onSpinWait(); // a real park would unmount, and may end on another carrier
        }
        ledger.hooks().onParkEnded(begun);
    }
}
