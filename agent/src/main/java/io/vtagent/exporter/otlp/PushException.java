package io.vtagent.exporter.otlp;

import java.io.IOException;

/** A failed push whose message states the reason in words for the user. */
final class PushException extends IOException {
    private static final long serialVersionUID = 1L;

    PushException(String message) {
        super(message);
    }
}
