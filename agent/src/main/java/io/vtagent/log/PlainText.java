package io.vtagent.log;

/**
 * Text for a terminal or a log of which parts are the application's, such as the names of its threads and classes: without characters that
 * would move a terminal's cursor, reverse the line or pretend to be another line.
 */
public final class PlainText {
    private static final char INSTEAD = '?';

    private PlainText() {}

    /** Several lines, of which the line breaks stay. */
    public static String of(String text) {
        return clean(text, true);
    }

    /** A name, which has no line breaks. */
    public static String ofName(String name) {
        return clean(name, false);
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
