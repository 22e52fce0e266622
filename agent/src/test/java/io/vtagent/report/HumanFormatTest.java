package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

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
}
