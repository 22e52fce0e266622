package io.vtagent.relief;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.memory.FailingAllocations;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compensation by relief when memory runs out for a moment. */
class ReliefMemoryTest {
    @Test
    void whereverTheMemoryEndsEachCarrierIsGivenBackOnce() throws Exception {
        assertThat(FailingAllocations.everywhereIn(SamplesAPin.class)).isGreaterThan(5);
    }

    static final class SamplesAPin implements FailingAllocations.Scenario {
        private static final int MAX = 2;
        private static final Thread CARRIER = new Thread(() -> {});

        private final CarrierPool pool = CarrierPool.ofThisJvm();
        private final Relief relief = new Relief(pool, MAX);
        private final Site site =
                new Ledger(true, 0, new FramesOfInterest(1), 2, Buckets.SINGLE)
                        .siteOf(
                                PinKind.PARK,
                                PinReason.MONITOR,
                                new PinnedStack(
                                        List.of(),
                                        -1,
                                        "A.a:1",
                                        PinnedStack.Cause.MONITOR,
                                        null,
                                        "",
                                        null,
                                        null,
                                        Map.of()));
        private final ActivePin pin =
                ActivePins.of(
                        PinKind.PARK,
                        PinReason.MONITOR,
                        Relief.LATE_NANOS,
                        Thread.ofVirtual().unstarted(() -> {}),
                        CARRIER,
                        false,
                        null,
                        null);

        SamplesAPin() throws ReflectiveOperationException, InterruptedException {
            Carriers.make(pool);
        }

        @Override
        public void step() {
            long now = System.nanoTime();
            relief.sample(now, List.of(pin), List.of());
            relief.sample(now, List.of(pin), List.of());
            relief.sample(now, List.of(), List.of());
            long begun = relief.begin(site);
            relief.end(begun, 1);
        }

        @Override
        public String wrong() {
            relief.sample(System.nanoTime(), List.of(), List.of());
            List<Long> begun = new ArrayList<>();
            for (long each = relief.begin(site); each > 0; each = relief.begin(site)) {
                begun.add(each);
            }
            relief.end(-1, 1);
            begun.forEach(each -> relief.end(each, 1));
            int most = MAX + pool.parallelism() - pool.minRunnable();
            return begun.size() == most
                    ? ""
                    : "of %d carriers %d can be lent".formatted(most, begun.size());
        }
    }
}
