package io.vtagent.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {
    @ParameterizedTest
    @CsvSource({"5ms, 5000000", "0.5 ms, 500000", "20us, 20000", "7ns, 7", "1.5s, 1500000000"})
    void isANumberAndAUnit(String text, long nanos) {
        assertThat(Amount.parse(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "ms", "-5ms", "5 minutes", "5ms 3us", "1e3ms"})
    void whatIsNoneIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> Amount.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"")
                .hasMessageContaining("5ms");
    }

    @Test
    void isPrintedInTheUnitThatFits() {
        assertThat(Amount.of(Duration.ofNanos(1_499))).isEqualTo("1 us");
        assertThat(Amount.of(Duration.ofNanos(12_340_000))).isEqualTo("12.3 ms");
        assertThat(Amount.of(Duration.ofMillis(2_500))).isEqualTo("2.50 s");
    }
}
