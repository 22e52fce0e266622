package io.vtagent.demo.model;

/** Says in one sentence what was wrong with the command line, and what was expected. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
