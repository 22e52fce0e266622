package io.vtagent.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {

    @Test
    void parametersAreWhatStandsAfterTheQuestionMark() {
        Query query = Query.of("text/plain", "/report?format=json&from=12&empty=&bare&a=b=c");

        assertThat(query.accept()).isEqualTo("text/plain");
        assertThat(query.parameters())
                .isEqualTo(
                        Map.of(
                                "format", "json", "from", "12", "empty", "", "bare", "", "a",
                                "b=c"));
        assertThat(query.text("format", "txt")).isEqualTo("json");
        assertThat(query.number("from")).hasValue(12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/report", "/"})
    void withoutAQuestionMarkThereAreNone(String path) {
        Query query = Query.of(null, path);

        assertThat(query.parameters()).isEmpty();
        assertThat(query.text("format", "txt")).isEqualTo("txt");
        assertThat(query.number("from")).isEmpty();
    }

    @Test
    void ofSeveralOfANameTheLastCounts() {
        assertThat(Query.of(null, "/x?from=1&from=2").number("from")).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "007", "999999999"})
    void aNumberIsDigits(String value) {
        assertThat(Query.of(null, "/x?from=" + value).number("from"))
                .hasValue(Long.parseLong(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "+1",
                "1.5",
                "1e3",
                "0x1",
                "%31",
                "1000000000",
                "9999999999999999999999",
                "\u0661",
                "1 "
            })
    void anythingElseIsNoneAndIsNotRepeated(String value) {
        Query query = Query.of(null, "/x?from=" + value);

        assertThatThrownBy(() -> query.number("from"))
                .isInstanceOf(BadQueryException.class)
                .hasMessage("expected from= and a whole number of at most 9 digits");
    }
}
