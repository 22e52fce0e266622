package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.ActivePinTotals;
import io.vtagent.record.Samples;
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
                new PinReport.Figures(count, nanos, longestNanos, ActivePinTotals.NONE, samples));
    }
}
