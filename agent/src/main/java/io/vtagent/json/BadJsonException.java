package io.vtagent.json;

import java.io.Serial;

/** A text is not the JSON that was expected; the message says what is wrong with it. */
public final class BadJsonException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    public BadJsonException(String message) {
        super(message);
    }
}
