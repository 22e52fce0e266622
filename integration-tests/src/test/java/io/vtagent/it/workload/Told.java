package io.vtagent.it.workload;

import java.io.IOException;
import java.io.UncheckedIOException;

/** How a workload talks to the test: lines on stdout, and one on stdin whenever it is to go on. */
final class Told {
    private Told() {}

    /** A fact for the test to hold against what the agent says. */
    static void fact(String key, Object value) {
        System.out.println(key + "=" + value);
    }

    /** Says {@code done} and waits. */
    static void done() {
        says("done");
    }

    /** Prints {@code line}, and waits until the test has looked at what it wants to see. */
    static void says(String line) {
        System.out.println(line);
        try {
            int character = System.in.read();
            while (character >= 0 && character != '\n') {
                character = System.in.read();
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
