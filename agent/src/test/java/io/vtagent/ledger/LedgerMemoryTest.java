package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hook.CarrierSlot;
import io.vtagent.hook.PinHistograms;
import io.vtagent.memory.FailingAllocations;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Counts of a ledger when memory runs out for a moment. */
class LedgerMemoryTest {
    @Test
    void whereverTheMemoryEndsEachPinCountsOnceAndTheSitesAddUp() throws Exception {
        assertThat(FailingAllocations.everywhereIn(SampledPins.class)).isGreaterThan(20);
    }

    static final class SampledPins implements FailingAllocations.Scenario {
        private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(8), 2, Buckets.FINE);
        private final AtomicLong reported = new AtomicLong();
        private long pins;
        private long nanos;

        SampledPins() {
            ledger.publishTo((key, since) -> reported.addAndGet(since.nanos()));
        }

        @Override
        public void step() {
            for (int line = 1; line < 5; line++) {
                PinnedStack stack = stack(line);
                ledger.add(PinKind.NATIVE, PinReason.NATIVE, 1_000L * line, () -> stack);
                pins++;
                nanos += 1_000L * line;
                EndedPins unused = ledger.totals();
            }
        }

        private static PinnedStack stack(int line) {
            String frame = "a.B.c(B.java:" + line + ")";
            return new PinnedStack(
                    List.of(frame),
                    0,
                    "a.B.c:" + line,
                    PinnedStack.Cause.NATIVE,
                    null,
                    "",
                    null,
                    null,
                    Map.of());
        }

        @Override
        public String wrong() {
            EndedPins totals = ledger.totals();
            long ofSites =
                    ledger.sites().stream().mapToLong(Site::nanos).sum()
                            + totals.unattributed(PinKind.NATIVE).nanos();
            boolean right =
                    totals.count() == pins
                            && totals.nanos() == nanos
                            && ofSites == nanos
                            && reported.get() == nanos;
            return right
                    ? ""
                    : "of %d pins with %d ns %d with %d ns are counted, %d ns by site, and %d ns are told"
                            .formatted(
                                    pins,
                                    nanos,
                                    totals.count(),
                                    totals.nanos(),
                                    ofSites,
                                    reported.get());
        }
    }

    @Test
    void aPinWhoseStackCannotBeReadForWantOfMemoryCountsWithoutASite() {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(8), 2, Buckets.FINE);
        ledger.add(
                PinKind.NATIVE,
                PinReason.NATIVE,
                1_000,
                () -> {
                    throw new OutOfMemoryError("made up");
                });
        assertThat(ledger.totals().unattributed(PinKind.NATIVE).nanos()).isEqualTo(1_000);
    }

    @Test
    void whereverTheMemoryEndsWhatACarrierHasCountedStaysWhenItIsGone() throws Exception {
        assertThat(FailingAllocations.everywhereIn(OfACarrierThatHasEnded.class)).isGreaterThan(5);
    }

    static final class OfACarrierThatHasEnded implements FailingAllocations.Scenario {
        private static final PinHistograms OUTSIDE = new PinHistograms(Buckets.SINGLE);

        private final Collector collector = new Collector(Buckets.FINE);
        private final List<CarrierSlot> slots = new ArrayList<>();

        OfACarrierThatHasEnded() throws InterruptedException {
            Thread carrier = new Thread(() -> {});
            CarrierSlot slot = new CarrierSlot(carrier, Buckets.FINE, true);
            slots.add(slot);
            carrier.start();
            slot.begin(Thread.currentThread(), PinKind.PARK, PinReason.MONITOR, null, null);
            slot.end(Thread.currentThread(), true);
            slot.record(7_000, PinReason.MONITOR, null);
            carrier.join();
        }

        @Override
        public void step() {
            EndedPins unused = collector.collect(slots, OUTSIDE);
        }

        @Override
        public String wrong() {
            EndedPins totals = collector.collect(slots, OUTSIDE);
            long longest = totals.unattributed(PinKind.PARK).longestNanos();
            return totals.count() == 1 && totals.nanos() == 7_000 && longest == 7_000
                    ? ""
                    : "of 7,000 ns %d are counted, at most %d".formatted(totals.nanos(), longest);
        }
    }

    @Test
    void whereverTheMemoryEndsWhatWasHeldIsThatOfTheTotals() throws Exception {
        assertThat(FailingAllocations.everywhereIn(Held.class)).isGreaterThan(5);
    }

    static final class Held implements FailingAllocations.Scenario {
        private final Ledger ledger =
                new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(8), 2, Buckets.SINGLE);
        private final HeldTime held = new HeldTime(ledger::totals, ledger::active);

        @Override
        public void step() {
            ledger.add(PinKind.NATIVE, PinReason.NATIVE, 500, () -> null);
            held.refresh();
        }

        @Override
        public String wrong() {
            held.refresh();
            double reported = held.nanos(PinKind.NATIVE);
            long counted = ledger.totals().nanos();
            return reported == counted ? "" : reported + " of " + counted + " ns are told";
        }
    }
}
