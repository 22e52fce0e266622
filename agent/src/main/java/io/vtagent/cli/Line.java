package io.vtagent.cli;

import io.vtagent.log.PlainText;
import java.nio.charset.Charset;

/** A line of text on a screen. */
record Line(Style style, String text) {
    /** The appearance of a line. */
    enum Style {
        PLAIN(""),
        HEADING("\u001b[1m"),
        FAINT("\u001b[2m"),
        SELECTED("\u001b[7m"),
        ALARM("\u001b[1;31m"),
        WARNING("\u001b[1;33m");

        private final String sequence;

        Style(String sequence) {
            this.sequence = sequence;
        }
    }

    static final Line EMPTY = plain("");

    static Line plain(String text) {
        return new Line(Style.PLAIN, text);
    }

    static Line heading(String text) {
        return new Line(Style.HEADING, text);
    }

    static Line faint(String text) {
        return new Line(Style.FAINT, text);
    }

    /** Returns the line with at most {@code width} characters, none of which moves a cursor. */
    Line cut(int width) {
        String shown = PlainText.ofName(text);
        if (shown.length() <= width) {
            return new Line(style, shown);
        }
        return new Line(
                style, width <= 0 ? "" : shown.substring(0, width - 1) + PlainText.ELLIPSIS);
    }

    /** Returns the line with at most {@code width} characters, all of which {@code charset} has. */
    Line in(Charset charset, int width) {
        Line cut = new Line(style, PlainText.in(charset, text)).cut(width);
        return new Line(style, PlainText.in(charset, cut.text));
    }

    /** Returns the text with the terminal's escape sequences for its style. */
    String styled() {
        return style == Style.PLAIN ? text : style.sequence + text + "\u001b[0m";
    }
}
