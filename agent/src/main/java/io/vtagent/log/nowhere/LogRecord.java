package io.vtagent.log.nowhere;

import org.jspecify.annotations.Nullable;

/** A log record that is discarded. */
public final class LogRecord {
    public LogRecord(Level level, @Nullable String message) {}

    public void setLoggerName(String name) {}

    public void setThrown(@Nullable Throwable thrown) {}

    public void setSourceClassName(String name) {}

    public void setSourceMethodName(String name) {}
}
