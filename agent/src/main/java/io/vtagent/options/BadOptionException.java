package io.vtagent.options;

/** An option that does not exist, or whose value is not one. The message is a sentence for the user. */
public final class BadOptionException extends Exception {
    private static final long serialVersionUID = 1L;

    BadOptionException(String message) {
        super(message);
    }

    static BadOptionException value(Option option, String value, String source) {
        return new BadOptionException("option \"" + option.key() + "\" of " + source + " is \"" + value
                + "\", expected " + option.expected());
    }
}
