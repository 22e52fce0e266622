package io.vtagent.cli;

import java.io.Serial;

/** Input that cannot be used. The message is a sentence with the error and what was expected. */
final class BadInputException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    BadInputException(String message) {
        super(message);
    }
}
