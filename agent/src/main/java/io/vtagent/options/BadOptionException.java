package io.vtagent.options;

import java.util.Locale;

/** An option that does not exist, or whose value is not one. The message is a sentence for the user. */
public final class BadOptionException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MOST_SHOWN = 200;

    BadOptionException(String message) {
        super(message);
    }

    static BadOptionException value(Option option, String value, String source) {
        return new BadOptionException("option \"" + option.key() + "\" of " + source + " is " + quoted(value)
                + ", expected " + option.expected());
    }

    /** {@code text} in quotation marks, shown so that the sentence stays one line of reasonable length whatever it is. */
    static String quoted(String text) {
        return '"' + unquoted(text) + '"';
    }

    static String unquoted(String text) {
        StringBuilder shown = new StringBuilder();
        for (char c : text.substring(0, Math.min(text.length(), MOST_SHOWN)).toCharArray()) {
            if (isShown(c)) {
                shown.append(c);
            } else {
                shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return shown.append(text.length() > MOST_SHOWN ? "..." : "").toString();
    }

    private static boolean isShown(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** For a value that nobody may read. */
    static BadOptionException secret(Option option, String source) {
        return new BadOptionException("option \"" + option.key() + "\" of " + source
                + " has a value that is not shown, expected " + option.expected());
    }
}
