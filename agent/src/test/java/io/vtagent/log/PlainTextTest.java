package io.vtagent.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {

    @ParameterizedTest
    @ValueSource(
            chars = {
                '\u001b', '\u0007', '\0', '\u007f', '\u009b', '\u202e', '\u2066', '\u200f',
                '\u2028', '\u2029', '\u0085'
            })
    void nothingMovesTheCursorOrReversesTheLine(char odd) {
        assertThat(PlainText.of("a" + odd + "b")).isEqualTo("a?b");
        assertThat(PlainText.ofName("a" + odd + "b")).isEqualTo("a?b");
    }

    @Test
    void aNameIsNotTwoLines() {
        assertThat(PlainText.ofName("task\n[vt-agent] all is well\r\t"))
                .isEqualTo("task?[vt-agent] all is well??");
        assertThat(PlainText.of("two\n\tlines\r\n")).isEqualTo("two\n\tlines\r\n");
    }

    @Test
    void allElseStays() {
        String usual = "Größe µs → naïve 仮想 \ud83d\ude80 \"#1\" <init> $1";
        assertThat(PlainText.of(usual)).isSameAs(usual);
        assertThat(PlainText.ofName(usual)).isSameAs(usual);
    }

    @Test
    void whatACharsetDoesNotHaveIsEscapedAndNotLost() {
        assertThat(
                        PlainText.in(
                                StandardCharsets.US_ASCII,
                                "G\u00f6\u00dfe \ud83d\ude80 a" + PlainText.ELLIPSIS))
                .isEqualTo("G\\u00f6\\u00dfe \\ud83d\\ude80 a~");
        assertThat(PlainText.in(StandardCharsets.ISO_8859_1, "G\u00f6 \u4eee" + PlainText.ELLIPSIS))
                .isEqualTo("G\u00f6 \\u4eee~");
        String usual = "G\u00f6 \u4eee" + PlainText.ELLIPSIS;
        assertThat(PlainText.in(StandardCharsets.UTF_8, usual)).isSameAs(usual);
        assertThat(PlainText.in(StandardCharsets.UTF_8, "half \ud800 of a pair"))
                .isEqualTo("half \\ud800 of a pair");
    }
}
