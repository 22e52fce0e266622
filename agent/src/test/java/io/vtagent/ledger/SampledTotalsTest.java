package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The totals of pins that the sampler has found, and of those that it has not. */
class SampledTotalsTest {
    private static final PinKey NATIVE = new PinKey(PinKind.NATIVE, PinReason.NATIVE, false);
    private static final PinnedThread SOMEONE = new PinnedThread(null, 0, 0);
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of("A.a(A.java:1)"),
                    0,
                    "A.a:1",
                    PinnedStack.Cause.NATIVE,
                    null,
                    "A.a",
                    null,
                    null,
                    Map.of());

    private final Ledger ledger =
            new Ledger(true, 100, new FramesOfInterest(64), 10, Buckets.SINGLE);

    @Test
    void theEstimateCountsAsTimeAndWhatWasSeenAsTheLongest() {
        add(5_000_000, new Samples(1, 2, 3_000_000), STACK);
        add(2_000_000, new Samples(1, 1, 0), STACK);

        DurationTotals total = Objects.requireNonNull(ledger.totals().byKey().get(NATIVE));
        assertThat(total.count()).isEqualTo(2);
        assertThat(total.nanos()).isEqualTo(7_000_000);
        assertThat(total.longestNanos()).isEqualTo(3_000_000);
        assertThat(ledger.totals().samples(NATIVE)).isEqualTo(new Samples(2, 3, 3_000_000));
        assertThat(ledger.totals().unattributed(PinKind.NATIVE).count()).isZero();
        assertThat(ledger.sites())
                .singleElement()
                .satisfies(
                        site -> {
                            assertThat(site.count()).isEqualTo(2);
                            assertThat(site.nanos()).isEqualTo(7_000_000);
                            assertThat(site.longestNanos()).isEqualTo(3_000_000);
                            assertThat(site.reason()).isEqualTo(PinReason.NATIVE);
                            assertThat(site.samples()).isEqualTo(new Samples(2, 3, 3_000_000));
                        });
    }

    @Test
    void withoutAStackItIsUnattributedWithItsSamples() {
        add(5_000_000, new Samples(1, 2, 3_000_000), null);
        add(4_000_000, new Samples(1, 1, 0), null);

        EndedPins totals = ledger.totals();
        DurationTotals unattributed = totals.unattributed(PinKind.NATIVE);
        assertThat(unattributed.count()).isEqualTo(2);
        assertThat(unattributed.nanos()).isEqualTo(totals.nanos()).isEqualTo(9_000_000);
        assertThat(unattributed.longestNanos()).isEqualTo(3_000_000);
        assertThat(totals.unattributedSamples(PinKind.NATIVE))
                .isEqualTo(totals.samples(NATIVE))
                .isEqualTo(new Samples(2, 3, 3_000_000));
        assertThat(totals.unattributedSamples(PinKind.PARK)).isEqualTo(Samples.NONE);
        assertThat(ledger.sites()).isEmpty();
    }

    @Test
    void whatNoSampleHitHasNone() {
        add(5_000_000, Samples.NONE, STACK);
        add(1, Samples.NONE, null);

        EndedPins totals = ledger.totals();
        assertThat(totals.count()).isEqualTo(2);
        assertThat(totals.samples(NATIVE)).isEqualTo(Samples.NONE);
        assertThat(totals.samples(new PinKey(PinKind.IO, PinReason.NONE, false)))
                .isEqualTo(Samples.NONE);
        assertThat(totals.unattributedSamples(PinKind.NATIVE)).isEqualTo(Samples.NONE);
        assertThat(ledger.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.samples()).isEqualTo(Samples.NONE));
    }

    @Test
    void twoSamplesMayBeAnAccidentButNotThreeOrAnExactPin() {
        Samples one = new Samples(1, 1, 0);
        add(5_000_000, one, STACK);
        add(5_000_000, one, STACK);
        Site site = ledger.sites().getFirst();
        assertThat(site.isRare()).isTrue();
        add(5_000_000, Samples.NONE, STACK);
        assertThat(site.isRare()).as("one was not sampled").isFalse();

        add(5_000_000, one, null);
        add(5_000_000, one, null);
        assertThat(ledger.totals().isUnattributedRare(PinKind.NATIVE)).isTrue();
        add(5_000_000, one, null);
        assertThat(ledger.totals().isUnattributedRare(PinKind.NATIVE)).isFalse();
    }

    @Test
    void anExactPinAmongTheUnattributedIsNoAccident() {
        add(5_000_000, new Samples(1, 1, 0), null);
        assertThat(ledger.totals().isUnattributedRare(PinKind.NATIVE)).isTrue();
        add(5_000_000, Samples.NONE, null);
        assertThat(ledger.totals().isUnattributedRare(PinKind.NATIVE)).isFalse();
    }

    @Test
    void threeSamplesOfASiteAreEnough() {
        add(5_000_000, new Samples(1, 3, 0), STACK);
        assertThat(ledger.sites().getFirst().isRare()).isFalse();
    }

    private void add(long durationNanos, Samples samples, @Nullable PinnedStack stack) {
        ledger.addSampled(
                PinKind.NATIVE, PinReason.NATIVE, durationNanos, samples, SOMEONE, () -> stack);
    }
}
