package io.vtagent.log;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Prints lines with the prefix {@code [vt-agent]} to what was stderr when the JVM started. Thread-safe. */
public final class AgentLog {
    private static final PrintStream OUT = System.err;
    private static volatile Level level = Level.INFO;

    /** How much is printed; each level includes those before it. */
    public enum Level {
        OFF,
        ERROR,
        INFO,
        DEBUG
    }

    private AgentLog() {}

    public static void level(Level newLevel) {
        level = newLevel;
    }

    public static void error(String message) {
        print(Level.ERROR, message, null);
    }

    public static void info(String message) {
        print(Level.INFO, message, null);
    }

    public static void debug(String message) {
        print(Level.DEBUG, message, null);
    }

    /** @param cause printed with its stack */
    public static void debug(String message, Throwable cause) {
        print(Level.DEBUG, message, cause);
    }

    private static void print(Level of, String message, @Nullable Throwable cause) {
        if (of.compareTo(level) > 0) {
            return;
        }
        OUT.println("[vt-agent] " + message);
        if (cause != null) {
            cause.printStackTrace(OUT);
        }
    }
}
