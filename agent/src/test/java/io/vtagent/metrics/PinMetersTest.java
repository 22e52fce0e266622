package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.site.FramesOfInterest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PinMetersTest {
    private final Ledger ledger =
            new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(1), 1, Buckets.FINE);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void timersHoldWhatTheLedgerHolds() {
        park();
        new PinMeters(ledger, PinKey.expected(true), true).bindTo(registry);
        for (int i = 0; i < 1_000; i++) {
            park();
        }
        long nanos = ledger.totals().nanos();

        Timer timer =
                registry.get(PinMeters.PINNED)
                        .tags("kind", "park", "reason", "monitor", "compensated", "false")
                        .timer();
        assertThat(timer.count()).isEqualTo(1_001);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isCloseTo((double) nanos, within(1.0));
        double longest = ledger.totals().byKey().values().iterator().next().longestNanos();
        assertThat(timer.max(TimeUnit.NANOSECONDS)).isEqualTo(longest);
        assertThat(registry.get(PinMeters.UNATTRIBUTED).functionCounter().count()).isEqualTo(1_001);
    }

    private void park() {
        ledger.hooks().onYieldFailed("MONITOR");
        Object begun = ledger.hooks().onParkBegan();
        ledger.hooks().onParkEnded(begun);
    }
}
