package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests to a ledger, and changes of it, while pins come and go. */
class LedgerChangesTest {
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(),
                    -1,
                    "A.a:1",
                    PinnedStack.Cause.NONE,
                    null,
                    "synchronized",
                    null,
                    null,
                    Map.of());

    private final Ledger ledger =
            new Ledger(true, 1_000, new FramesOfInterest(64), 10, Buckets.SINGLE);

    @Test
    void stacksAreReadFromANewThresholdOn() {
        ledger.add(PinKind.PARK, PinReason.MONITOR, 999, () -> STACK);
        ledger.stackThreshold(2_000);
        ledger.add(PinKind.PARK, PinReason.MONITOR, 1_999, () -> STACK);
        assertThat(ledger.sites()).isEmpty();
        ledger.stackThreshold(999);
        ledger.add(PinKind.PARK, PinReason.MONITOR, 999, () -> STACK);
        assertThat(ledger.sites()).hasSize(1);
    }

    @Test
    void aSinkThatIsTakenAwayGetsNothingMore() {
        List<Long> published = new ArrayList<>();
        PinSink sink = (key, since) -> published.add(since.count());
        ledger.publishTo(sink);
        ledger.add(PinKind.PARK, PinReason.MONITOR, 1, () -> STACK);
        ledger.totals();
        ledger.publishNoMore(sink);
        ledger.add(PinKind.PARK, PinReason.MONITOR, 1, () -> STACK);
        ledger.totals();
        assertThat(published).containsExactly(1L);
    }

    @Test
    void theNeedForEveryStackIsReported() {
        assertThat(ledger.walksWhateverItCosts()).isFalse();
        ledger.walkWhateverItCosts(true);
        assertThat(ledger.walksWhateverItCosts()).isTrue();
        ledger.walkWhateverItCosts(false);
        assertThat(ledger.walksWhateverItCosts()).isFalse();
    }

    @Test
    void aThreadThatWaitsForCarriersIsNotifiedOfThem() {
        assertThat(ledger.arrivals().hasArrived()).isFalse();
        ledger.hooks().onCarrierMade();
        assertThat(ledger.arrivals().hasArrived()).isTrue();
    }
}
