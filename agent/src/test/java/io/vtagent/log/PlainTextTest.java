package io.vtagent.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {

    @ParameterizedTest
    @ValueSource(
            chars = {
                '\u001b', '\u0007', '\0', '\u007f', '\u009b', '\u202e', '\u2066', '\u200f', '\u2028', '\u2029', '\u0085'
            })
    void nothingMovesTheCursorOrReversesTheLine(char odd) {
        assertThat(PlainText.of("a" + odd + "b")).isEqualTo("a?b");
        assertThat(PlainText.ofName("a" + odd + "b")).isEqualTo("a?b");
    }

    @Test
    void aNameIsNotTwoLines() {
        assertThat(PlainText.ofName("task\n[vt-agent] all is well\r\t")).isEqualTo("task?[vt-agent] all is well??");
        assertThat(PlainText.of("two\n\tlines\r\n")).isEqualTo("two\n\tlines\r\n");
    }

    @Test
    void allElseStays() {
        String usual = "Größe µs → naïve 仮想 \ud83d\ude80 \"#1\" <init> $1";
        assertThat(PlainText.of(usual)).isSameAs(usual);
        assertThat(PlainText.ofName(usual)).isSameAs(usual);
    }
}
