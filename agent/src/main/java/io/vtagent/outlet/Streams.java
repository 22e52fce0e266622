package io.vtagent.outlet;

import java.io.PrintStream;

/** Where a report is printed, whatever the application makes of {@code System.out} and {@code System.err} later. */
public record Streams(PrintStream stdout, PrintStream stderr) {
    /** As they are now. */
    public static Streams now() {
        return new Streams(System.out, System.err);
    }
}
