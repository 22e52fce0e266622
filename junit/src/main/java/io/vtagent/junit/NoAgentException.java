package io.vtagent.junit;

/** Signals that no agent can measure the tests. The message contains the reason for the user. */
final class NoAgentException extends RuntimeException {
    private static final String WHAT = "vt-agent cannot watch these tests: ";

    private final String why;

    NoAgentException(String why) {
        super(WHAT + why);
        this.why = why;
    }

    NoAgentException(String why, Throwable cause) {
        super(WHAT + why, cause);
        this.why = why;
    }

    String why() {
        return why;
    }
}
