package io.vtagent.otlp;

import java.io.IOException;

/** A push that failed for a reason which the message says in words for the user. */
final class PushException extends IOException {
    private static final long serialVersionUID = 1L;

    PushException(String message) {
        super(message);
    }
}
