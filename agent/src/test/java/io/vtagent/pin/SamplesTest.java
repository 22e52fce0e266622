package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0, true",
        "2, 9_999_999, true",
        "2, 10_000_000, false",
        "3, 0, false",
    })
    void thoseOfAShortPinAreTooFewUpToTwo(long count, String seenNanos, boolean tooFew) {
        Samples samples = new Samples(1, count, Long.parseLong(seenNanos.replace("_", "")));
        assertThat(samples.areTooFew()).isEqualTo(tooFew);
    }

    @Test
    void ofBothTheNumbersAddUpAndTheLongestIsKept() {
        Samples some = new Samples(2, 5, 700);
        Samples others = new Samples(1, 3, 900);
        assertThat(some.and(others)).isEqualTo(new Samples(3, 8, 900));
        assertThat(others.and(some)).isEqualTo(new Samples(3, 8, 900));
        assertThat(some.and(Samples.NONE)).isEqualTo(some);
    }
}
