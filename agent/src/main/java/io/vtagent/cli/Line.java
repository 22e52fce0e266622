package io.vtagent.cli;

import io.vtagent.log.PlainText;

/** A line of a screen. */
record Line(Style style, String text) {
    /** How it looks. */
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

    /** With at most so many characters, and none that would move a terminal's cursor. */
    Line cut(int width) {
        String shown = PlainText.ofName(text);
        if (shown.length() <= width) {
            return new Line(style, shown);
        }
        return new Line(style, width <= 0 ? "" : shown.substring(0, width - 1) + "…");
    }

    /** For a terminal. */
    String styled() {
        return style == Style.PLAIN ? text : style.sequence + text + "\u001b[0m";
    }
}
