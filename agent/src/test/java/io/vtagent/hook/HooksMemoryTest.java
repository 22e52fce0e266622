package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.EndedPins;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.LedgerWarmUp;
import io.vtagent.ledger.OnVirtualThread;
import io.vtagent.memory.FailingAllocations;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import org.junit.jupiter.api.Test;

/**
 * Counts of a carrier when memory runs out inside a hook. Exceptions of a hook are caught around it
 * (class {@code VtAgentProbe}).
 */
class HooksMemoryTest {
    @Test
    void whereverTheMemoryEndsTheNextPinsCountAndTheSitesAddUp() throws Exception {
        assertThat(FailingAllocations.everywhereIn(PinsOnACarrier.class)).isGreaterThan(10);
    }

    static final class PinsOnACarrier implements FailingAllocations.Scenario {
        private static final int PINS = 3;

        private final Ledger ledger =
                LedgerWarmUp.warmUp(new Ledger(true, 0, new FramesOfInterest(8), 2, Buckets.FINE));
        private long before;

        PinsOnACarrier() {
            ledger.walkWhateverItCosts(true);
            ledger.addListener(pin -> {});
        }

        @Override
        public void step() {
            before = ledger.totals().count();
            OnVirtualThread.run(
                    () -> {
                        park();
                        await();
                        enter();
                    });
        }

        private void park() {
            Object begun = ledger.hooks().onParkBegan();
            stay();
            ledger.hooks().onParkEnded(begun);
        }

        /** On the carrier, for longer than the shortest entry that counts. */
        private static void stay() {
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < 10_000) {
                Thread.onSpinWait();
            }
        }

        private void await() {
            Object begun = ledger.hooks().onWaitBegan();
            stay();
            ledger.hooks().onWaitEnded(begun, null);
        }

        private void enter() {
            Object begun = ledger.hooks().onEnterBegan(this);
            stay();
            if (begun != null) {
                ledger.hooks().onEnterEnded(begun);
            }
        }

        @Override
        public String wrong() {
            EndedPins totals = ledger.totals();
            long since = totals.count() - before;
            long ofSites = ledger.sites().stream().mapToLong(Site::nanos).sum();
            for (PinKind kind : PinKind.values()) {
                ofSites += totals.unattributed(kind).nanos();
            }
            boolean right =
                    since == PINS
                            && ofSites == totals.nanos()
                            && ledger.active().isEmpty()
                            && !ledger.sites().isEmpty();
            return right
                    ? ""
                    : "of %d pins %d counted, of %d ns %d by site, %s are in progress"
                            .formatted(PINS, since, totals.nanos(), ofSites, ledger.active());
        }
    }
}
