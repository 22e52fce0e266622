package io.vtagent.demo.launch;

import java.io.PrintStream;

/** Shows what is going on: on a terminal in one line that is rewritten, elsewhere a line each. */
final class Progress {

    private static final String TO_START_OF_EMPTY_LINE = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void show(String what) {
        if (terminal) {
            out.print(TO_START_OF_EMPTY_LINE + what + " ...");
            out.flush();
        } else {
            out.println(what);
        }
    }

    /** Leaves the line to whatever is printed next. */
    void clear() {
        if (terminal) {
            out.print(TO_START_OF_EMPTY_LINE);
            out.flush();
        }
    }
}
