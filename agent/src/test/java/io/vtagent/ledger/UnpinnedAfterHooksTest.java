package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hook.CarrierCompensator;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.FramesOfInterest;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * While a hook works, its thread stays on the carrier. The hook unpins what it has pinned;
 * otherwise the agent itself would cause pins.
 */
class UnpinnedAfterHooksTest {
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    /** Compensates for every carrier. */
    private static final class Relieving implements CarrierCompensator {
        @Override
        public boolean wants(Site site) {
            return true;
        }

        @Override
        public long begin(Site site) {
            return 1;
        }
    }

    /** Knows whose every pin is. */
    private record Owning(Object owner) implements PinListener {
        @Override
        public boolean knowsOwners() {
            return true;
        }

        @Override
        public void ended(EndedPin pin) {}
    }

    @Test
    void aThreadThatHasBeenThroughThemCanUnmount() throws InterruptedException {
        ledger.compensateWith(new Relieving());
        ledger.addListener(new Owning("somebody"));
        LedgerWarmUp.warmUp(ledger);
        Thread thread = Thread.startVirtualThread(this::pinAndWait);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        boolean mounted = VirtualThreads.isMounted(thread);
        mayEnd.countDown();
        thread.join();

        assertThat(mounted).isFalse();
        assertThat(ledger.totals().byKey().keySet())
                .containsExactly(new PinKey(PinKind.PARK, PinReason.MONITOR, true));
    }

    private void pinAndWait() {
        ledger.hooks().onYieldFailed("MONITOR");
        @Nullable Object begun = ledger.hooks().onParkBegan();
        ledger.hooks().onParkEnded(begun);
        try {
            mayEnd.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
