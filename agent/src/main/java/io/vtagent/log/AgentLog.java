package io.vtagent.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Logs lines with the prefix {@code [vt-agent]} to the process's stderr. It bypasses {@code
 * System.err}, because the application's threads wait for its lock and it may be redirected
 * anywhere. Thread-safe.
 */
public final class AgentLog {
    private static final BoundedOutput STDERR =
            new BoundedOutput(
                    new FileOutputStream(FileDescriptor.err),
                    System.err.charset(),
                    TimeUnit.SECONDS.toNanos(1));
    private static volatile Level level = Level.INFO;

    /** The log level; each level includes those before it. */
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

    /**
     * @param cause printed with its stack
     */
    public static void debug(String message, Throwable cause) {
        print(Level.DEBUG, message, cause);
    }

    private static void print(Level of, String message, @Nullable Throwable cause) {
        if (of.compareTo(level) > 0) {
            return;
        }
        StringWriter text = new StringWriter();
        text.append("[vt-agent] ").append(PlainText.of(message)).append(System.lineSeparator());
        if (cause != null) {
            cause.printStackTrace(new PrintWriter(text));
        }
        write(text.toString());
    }

    /**
     * Prints {@code text} unchanged. A text that is not long is written in one piece, so that no
     * output of the application comes between its lines. Returns after a second if stderr is not
     * read.
     */
    public static void write(String text) {
        STDERR.write(text);
    }
}
