package io.vtagent.exporter.http;

/**
 * Thrown for a request with invalid parameters. Its message states what was expected, and repeats
 * nothing of the request.
 */
public final class BadQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadQueryException(String expected) {
        super(expected, null, false, false);
    }
}
