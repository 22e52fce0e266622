package io.vtagent.demo.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void membersKeepTheirOrder() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("b", 1);
        members.put("a", List.of(true, 2.5, "x"));

        assertThat(Json.text(members)).isEqualTo("{\"b\":1,\"a\":[true,2.5,\"x\"]}");
        assertThat(Json.parse(Json.text(members)).members().keySet()).containsExactly("b", "a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "a \"quote\"",
                "back\\slash",
                "two\nlines",
                "a\ttab",
                "µs, {not} [json]:"
            })
    void aTextComesBackAsItWas(String text) {
        assertThat(Json.parse(Json.text(List.of(text))).elements()).containsExactly(new Json(text));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -2.5, 1e-7, 123_456_789, 1e12})
    void aNumberComesBackAsItWas(double number) {
        assertThat(Json.parse(Json.text(number)).number()).isEqualTo(number);
    }

    @Test
    void theLastBitsOfANumberAreNotWritten() {
        assertThat(Json.text(0.1 + 0.2)).isEqualTo("0.3");
        assertThat(Json.text(1e10)).isEqualTo("10000000000");
    }

    @Test
    void blanksBetweenValuesArePassedOver() {
        assertThat(Json.parse(" { \"a\" : [ 1 , 2 ] }\n").get("a").elements()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1", "{\"a\" 1}", "nonsense", "[1] 2", "null"})
    void whatIsNotJsonIsRefused(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(", but got " + text);
    }

    @Test
    void aMemberThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Json.parse("{\"a\":1}").get("b")).hasMessage("no \"b\" in [a]");
    }
}
