package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.9712, 0.97",
        "7.72, 7.7",
        "9.99, 10",
        "12.3, 12",
        "70561.8, '70,562'",
        "0.00123, 0.0012"
    })
    void aNumberHasTheDigitsThatMeanSomething(double value, String text) {
        assertThat(Quantity.text(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 s", "0.000001, < 0.1 ms", "0.0301, 30.1 ms", "1007.917, '1,007.92 s'"})
    void whatIsTooShortForSecondsIsNotShownAsNothing(double seconds, String text) {
        assertThat(Quantity.duration(seconds)).isEqualTo(text);
    }
}
