package io.vtagent.json;

import java.io.Serial;

/** A text that is not the expected JSON. The message contains the error. */
public final class BadJsonException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    public BadJsonException(String message) {
        super(message);
    }
}
