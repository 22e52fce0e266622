package io.vtagent.cli;

/** What the command line tells the shell. */
final class ExitCode {
    static final int FINE = 0;
    static final int GATE_FAILED = 1;
    static final int BAD_INPUT = 2;

    /** By Ctrl-C, as a JVM ends that takes it as a signal. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}
