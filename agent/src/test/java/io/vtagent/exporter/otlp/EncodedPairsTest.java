package io.vtagent.exporter.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncodedPairsTest {

    @Test
    void keysAndValuesArePercentDecoded() {
        assertThat(EncodedPairs.parse("a=1, b%20c = %C3%BC%2C%3D ,d=e=f+g,,h="))
                .isEqualTo(Map.of("a", "1", "b c", "ü,=", "d", "e=f+g", "h", ""));
    }

    @Test
    void nothingIsNoPair() {
        assertThat(EncodedPairs.parse("")).isEmpty();
        assertThat(EncodedPairs.parse(" , ")).isEmpty();
    }

    @Test
    void theLastOneOfAKeyCounts() {
        assertThat(EncodedPairs.parse("a=1,b=2,a=3")).isEqualTo(Map.of("a", "3", "b", "2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a", "=1", "a=1,b", "a=%", "a=%2", "a=%zz", "a=%+1", "a=%C3", "a=%FF", "%=1"
            })
    void oneThatIsWrongMakesAllWrong(String text) {
        assertThat(EncodedPairs.parse(text)).isNull();
    }
}
