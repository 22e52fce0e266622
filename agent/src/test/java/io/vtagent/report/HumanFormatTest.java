package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanFormatTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 us",
        "7000, 7 us",
        "999400, 999 us",
        "1000000, 1.0 ms",
        "4500000, 4.5 ms",
        "999900000, 999.9 ms",
        "1000000000, 1.00 s",
        "1234560000000, '1,234.6 s'"
    })
    void aDurationIsInTheUnitThatKeepsItShort(long nanos, String inWords) {
        assertThat(HumanFormat.duration(nanos)).isEqualTo(inWords);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 pins", "1, 1 pin", "2, 2 pins", "1234567, '1,234,567 pins'"})
    void onlyOnePinIsSingular(long count, String inWords) {
        assertThat(HumanFormat.pins(count)).isEqualTo(inWords);
    }

    @Test
    void theLongestPinIsMissingIfEachWasSampledOnce() {
        Samples once = new Samples(2, 2, 0);

        assertThat(figures(2, 31_300_000, 0, once)).isEqualTo("2 pins, ~31.3 ms");
        assertThat(figures(2, 31_300_000, 2_000_000, new Samples(2, 3, 2_000_000)))
                .isEqualTo("2 pins, ~31.3 ms, longest 2.0 ms");
    }

    private static String figures(long count, long nanos, long longestNanos, Samples samples) {
        return HumanFormat.figures(
                new PinReport.Figures(
                        count,
                        nanos,
                        longestNanos,
                        ActivePinTotals.NONE,
                        samples,
                        DurationCounts.NONE));
    }

    @Test
    void theDurationsAreOneLineWithoutEmptyBuckets() {
        assertThat(durations(Samples.NONE, 5, 0, 0, 7, 12, 340, 0, 0, 0, 0, 0, 0, 3, 1))
                .isEqualTo(
                        "durations: 5 under 100 us, 7 of 500 us-1 ms, 12 of 1-2 ms, 340 of 2-5 ms,"
                                + " 3 of 500 ms-1 s, 1 of 1-2 s");
        assertThat(durations(Samples.NONE, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1_234))
                .isEqualTo("durations: 1 of 100-200 us, 1,234 of 10 s or more");
        assertThat(
                        durations(
                                new Samples(3, 9, 0),
                                1,
                                0,
                                0,
                                0,
                                2,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                3))
                .isEqualTo("durations: 1 under ~100 us, 2 of ~1-2 ms, 3 of ~10 s or more");
    }

    @Test
    void whereOnePinHasEndedItsDurationIsReportedOnlyOnce() {
        assertThat(durations(Samples.NONE, 0, 1)).isEmpty();
        assertThat(durations(Samples.NONE)).isEmpty();
        assertThat(durations(Samples.NONE, 0, 2)).isEqualTo("durations: 2 of 100-200 us");
    }

    private static String durations(Samples samples, long... counts) {
        DurationCounts durations = DurationCounts.of(counts);
        return HumanFormat.durations(
                new PinReport.Figures(
                        durations.count(), 1, 1, ActivePinTotals.NONE, samples, durations));
    }
}
