package io.vtagent.log;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.Locale;

/**
 * Cleans text of the application, such as names of threads and classes, for a terminal or a log.
 * Replaces characters that would move the cursor, reverse the line or fake another line.
 */
public final class PlainText {
    private static final char INSTEAD = '?';

    /** Marks the end or the beginning of a shortened text. */
    public static final char ELLIPSIS = '\u2026';

    private static final char ASCII_ELLIPSIS = '~';

    private PlainText() {}

    /** Cleans a text of several lines, whose line breaks stay. */
    public static String of(String text) {
        return clean(text, true);
    }

    /** Cleans a name, which has no line breaks. */
    public static String ofName(String name) {
        return clean(name, false);
    }

    /**
     * Returns {@code text} with the characters that {@code charset} lacks replaced by escapes as in
     * Java source.
     */
    public static String in(Charset charset, String text) {
        CharsetEncoder encoder = charset.newEncoder();
        if (encoder.canEncode(text)) {
            return text;
        }
        StringBuilder encodable = new StringBuilder();
        text.codePoints()
                .forEach(
                        point -> {
                            String character = Character.toString(point);
                            if (encoder.canEncode(character)) {
                                encodable.append(character);
                            } else if (point == ELLIPSIS) {
                                encodable.append(ASCII_ELLIPSIS);
                            } else {
                                character
                                        .chars()
                                        .forEach(
                                                unit ->
                                                        encodable.append(
                                                                String.format(
                                                                        Locale.ROOT,
                                                                        "\\u%04x",
                                                                        unit)));
                            }
                        });
        return encodable.toString();
    }

    private static String clean(String text, boolean lineBreaks) {
        StringBuilder clean = null;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (isOdd(character) && !(lineBreaks && isLayout(character))) {
                clean = clean == null ? new StringBuilder(text) : clean;
                clean.setCharAt(i, INSTEAD);
            }
        }
        return clean == null ? text : clean.toString();
    }

    private static boolean isLayout(char character) {
        return character == '\n' || character == '\t' || character == '\r';
    }

    private static boolean isOdd(char character) {
        if (character >= ' ' && character < 127) {
            return false;
        }
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
