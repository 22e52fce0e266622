package io.vtagent.demo.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusTextTest {

    @Test
    void commentsAndEmptyLinesArePassedOver() {
        assertThat(PrometheusText.parse("# HELP a of what\n# TYPE a gauge\n\na 1\n# EOF\n"))
                .containsExactly(new Sample("a", Map.of(), 1));
    }

    @Test
    void labelsAreRead() {
        assertThat(PrometheusText.parse("a_seconds_sum{kind=\"park\",reason=\"monitor\",} 7.92"))
                .containsExactly(
                        new Sample(
                                "a_seconds_sum",
                                Map.of("kind", "park", "reason", "monitor"),
                                7.92));
    }

    @Test
    void aLabelMayHoldWhatElseEndsOne() {
        assertThat(PrometheusText.parse("a{site=\"x, {y} = \\\"z\\\" \\\\ \\n\"} 1"))
                .containsExactly(new Sample("a", Map.of("site", "x, {y} = \"z\" \\ \n"), 1));
    }

    @Test
    void theSetOfLabelsMayBeEmpty() {
        assertThat(PrometheusText.parse("a{} 1")).containsExactly(new Sample("a", Map.of(), 1));
    }

    @Test
    void valuesAreReadAsTheFormatWritesThem() {
        assertThat(PrometheusText.parse("a 1.2E-5\nb +Inf\nc -Inf\nd NaN\ne 3 1700000000000"))
                .map(Sample::value)
                .containsExactly(
                        1.2e-5,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY,
                        Double.NaN,
                        3.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a{",
                "a{kind=\"park",
                "a{kind=\"park\"}",
                "a one",
                "a 1 one",
                "a{kind=park} 1",
                "a{kind=\"park\"reason=\"none\"} 1",
                "<html>"
            })
    void anythingElseIsRefused(String line) {
        assertThatThrownBy(() -> PrometheusText.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a line of the Prometheus text format, but got " + line);
    }
}
