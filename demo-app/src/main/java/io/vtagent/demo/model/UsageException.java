package io.vtagent.demo.model;

/** A wrong command line: a sentence with the error and what was expected. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
