package io.vtagent.cli;

/** The exit codes of the command line. */
final class ExitCode {
    static final int FINE = 0;
    static final int GATE_FAILED = 1;
    static final int BAD_INPUT = 2;

    /** After Ctrl-C: the exit code of a JVM that takes Ctrl-C as a signal. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}
