package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Samples;
import io.vtagent.pin.Site;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ActivePinTotalsTest {
    private static final Site SITE =
            new Site(new PinSite("A.a:1", "B.b:2", "C.c", PinKind.NATIVE), PinReason.NATIVE, null);

    @Test
    void ofNoPinsThereAreNone() {
        assertThat(ActivePinTotals.of(List.of())).isEqualTo(ActivePinTotals.NONE);
    }

    @Test
    void pinsAddUpAndTheOldestIsKept() {
        ActivePin older = pin(PinKind.PARK, 9_000, Samples.NONE, null);
        ActivePin younger = pin(PinKind.PARK, 4_000, Samples.NONE, null);

        assertThat(ActivePinTotals.of(List.of(older, younger)))
                .isEqualTo(ActivePinTotals.of(List.of(younger, older)))
                .isEqualTo(new ActivePinTotals(2, 13_000, 9_000));
    }

    /** Its age is an estimate, which may go back further than what is certain, or less far. */
    @Test
    void aSampledPinHasLastedNoLongerThanFromItsFirstSampleOn() {
        Samples seen = new Samples(1, 2, 3_000);
        assertThat(ActivePinTotals.of(List.of(pin(PinKind.NATIVE, 5_000, seen, null))))
                .isEqualTo(new ActivePinTotals(1, 5_000, 3_000, seen));
        assertThat(ActivePinTotals.of(List.of(pin(PinKind.NATIVE, 2_000, seen, null))))
                .isEqualTo(new ActivePinTotals(1, 2_000, 2_000, seen));
    }

    @Test
    void samplesAddUpToo() {
        ActivePin exact = pin(PinKind.NATIVE, 7_000, Samples.NONE, null);
        ActivePin sampled = pin(PinKind.NATIVE, 5_000, new Samples(1, 2, 3_000), null);
        ActivePin another = pin(PinKind.NATIVE, 9_000, new Samples(1, 4, 6_000), null);

        assertThat(ActivePinTotals.of(List.of(exact, sampled, another)))
                .isEqualTo(new ActivePinTotals(3, 21_000, 7_000, new Samples(2, 6, 6_000)));
    }

    @Test
    void eachPinCountsWhereItWillCountWhenItEnds() {
        List<ActivePin> pins =
                List.of(
                        pin(PinKind.NATIVE, 1, Samples.NONE, SITE),
                        pin(PinKind.NATIVE, 2, Samples.NONE, null),
                        pin(PinKind.PARK, 3, Samples.NONE, null));

        assertThat(ActivePinTotals.by(ActivePin::siteKey, pins))
                .isEqualTo(
                        Map.of(
                                SITE.key(),
                                new ActivePinTotals(1, 1, 1),
                                PinSite.unattributed(PinKind.NATIVE),
                                new ActivePinTotals(1, 2, 2),
                                PinSite.unattributed(PinKind.PARK),
                                new ActivePinTotals(1, 3, 3)));
        assertThat(ActivePinTotals.by(ActivePin::key, pins))
                .isEqualTo(
                        Map.of(
                                new PinKey(PinKind.NATIVE, PinReason.MONITOR, true),
                                new ActivePinTotals(2, 3, 2),
                                new PinKey(PinKind.PARK, PinReason.MONITOR, true),
                                new ActivePinTotals(1, 3, 3)));
    }

    private static ActivePin pin(
            PinKind kind, long ageNanos, Samples samples, @Nullable Site site) {
        Thread thread = Thread.currentThread();
        return new ActivePin(
                kind,
                PinReason.MONITOR,
                ageNanos,
                thread,
                thread,
                true,
                site,
                null,
                null,
                samples,
                false);
    }
}
