package io.vtagent.options;

import java.util.Locale;

/** An unknown option, or a value that is not allowed. The message is a sentence for the user. */
public final class BadOptionException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 200;

    BadOptionException(String message) {
        super(message);
    }

    static BadOptionException value(Option option, String value, String source) {
        return new BadOptionException(
                "option \""
                        + option.key()
                        + "\" of "
                        + source
                        + " is "
                        + quoted(value)
                        + ", expected "
                        + option.expected());
    }

    /**
     * Returns {@code text} in quotation marks. Control characters are escaped and long text is cut,
     * so that a message stays one line of reasonable length.
     */
    static String quoted(String text) {
        return '"' + unquoted(text) + '"';
    }

    static String unquoted(String text) {
        StringBuilder shown = new StringBuilder();
        for (char c : text.substring(0, Math.min(text.length(), MAX_SHOWN)).toCharArray()) {
            if (isShown(c)) {
                shown.append(c);
            } else {
                shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return shown.append(text.length() > MAX_SHOWN ? "..." : "").toString();
    }

    private static boolean isShown(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }

    /** Returns an exception that does not show the value, because it may be secret. */
    static BadOptionException secret(Option option, String source) {
        return new BadOptionException(
                "option \""
                        + option.key()
                        + "\" of "
                        + source
                        + " has a value that is not shown, expected "
                        + option.expected());
    }
}
