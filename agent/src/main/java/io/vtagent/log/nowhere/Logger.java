package io.vtagent.log.nowhere;

import org.jspecify.annotations.Nullable;

/** Logs nothing. */
public final class Logger {
    private final String name;

    private Logger(String name) {
        this.name = name;
    }

    public static Logger getLogger(String name) {
        return new Logger(name);
    }

    public String getName() {
        return name;
    }

    public boolean isLoggable(Level level) {
        return false;
    }

    public void warning(@Nullable String message) {}

    public void log(Level level, @Nullable String message) {}

    public void log(LogRecord unused) {}
}
