package io.vtagent;

import io.vtagent.log.AgentLog;

/** The result of a request, as a sentence. */
record Outcome(boolean isOk, String sentence) {
    private static final String OK = "ok ";
    private static final String FAILED = "failed ";

    static Outcome ok(String sentence) {
        return new Outcome(true, sentence);
    }

    static Outcome failed(String sentence) {
        return new Outcome(false, sentence);
    }

    /** Returns a text that can be passed between class loaders. */
    String asText() {
        return (isOk ? OK : FAILED) + sentence;
    }

    /** Parses a text made by {@link #asText}. */
    static Outcome parse(String text) {
        return text.startsWith(OK)
                ? ok(text.substring(OK.length()))
                : failed(text.substring(FAILED.length()));
    }

    void logFailure() {
        if (!isOk) {
            AgentLog.error(sentence);
        }
    }
}
