package io.vtagent.export;

/** A request whose parameters are not understood. Its message says what was expected, and repeats nothing of the request. */
public final class BadQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadQueryException(String expected) {
        super(expected, null, false, false);
    }
}
