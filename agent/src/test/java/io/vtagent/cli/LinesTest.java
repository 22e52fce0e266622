package io.vtagent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.log.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinesTest {
    @Test
    void textIsBrokenAtSpacesAndWhereThereIsNone() {
        assertThat(Lines.wrap("one two three\nfour-five", 7))
                .containsExactly("one two", "three", "four-fi", "ve");
        assertThat(Lines.wrap("", 7)).containsExactly("");
        assertThat(Lines.wrap("ab", 0)).containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme.shop.Cart.add:12, 30, com.acme.shop.Cart.add:12",
        "com.acme.shop.Cart.add:12, 24, c.acme.shop.Cart.add:12",
        "com.acme.shop.Cart.add:12, 20, c.a.shop.Cart.add:12",
        "com.acme.shop.Cart.add:12, 17, c.a.s.Cart.add:12",
        "com.acme.shop.Cart.add:12, 16, …a.s.Cart.add:12",
        "com.acme.shop.Cart.add:12, 7, …add:12",
        "cart.add:12, 7, …add:12",
        "(unattributed), 6, …uted)",
        "com.acme.shop.Cart.add:12, 1, …",
        "com.acme.shop.Cart.add:12, -3, …",
    })
    void packagesAreShortenedUntilANameFits(String name, int width, String shortened) {
        assertThat(Lines.abbreviate(name, width)).isEqualTo(shortened);
    }

    @Test
    void whatWouldMoveTheCursorOfATerminalIsNotPrinted() {
        assertThat(Line.plain("a\u001b[2Jb\rc\u009bd").cut(80).text()).isEqualTo("a?[2Jb?c?d");
        assertThat(Line.plain("abcdef").cut(4).text()).isEqualTo("abc…");
        assertThat(Line.plain("abcdef").cut(0).text()).isEmpty();
    }

    @Test
    void onATerminalWithoutUtf8LinesHaveNoMoreThanAscii() {
        assertThat(Line.plain("abcdef").in(StandardCharsets.US_ASCII, 4).text()).isEqualTo("abc~");
        assertThat(Line.plain("a\u00f6b").in(StandardCharsets.US_ASCII, 80).text())
                .isEqualTo("a\\u00f6b");
        assertThat(Line.plain("a\u00f6b").in(StandardCharsets.US_ASCII, 5).text())
                .isEqualTo("a\\u0~");
        assertThat(Line.plain("a\u00f6bcd").in(StandardCharsets.UTF_8, 4).text())
                .isEqualTo("a\u00f6b" + PlainText.ELLIPSIS);
    }

    @Test
    void whatTheStreamCannotEncodeIsEscaped() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream ascii = new PrintStream(bytes, true, StandardCharsets.US_ASCII);
        try (PrintWriter writer = new PrintWriter(new EncodableWriter(ascii), true)) {
            writer.println("task \u00f6" + PlainText.ELLIPSIS);
        }
        assertThat(bytes.toString(StandardCharsets.US_ASCII))
                .isEqualToIgnoringNewLines("task \\u00f6~");
    }
}
