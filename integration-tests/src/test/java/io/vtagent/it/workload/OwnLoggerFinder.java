package io.vtagent.it.workload;

import java.util.ResourceBundle;

/**
 * A provider for {@code System.getLogger}, as logging frameworks have it. Leaves a trace when it is
 * initialized.
 */
public final class OwnLoggerFinder extends System.LoggerFinder {
    static {
        System.setProperty(Logging.TRACE, "initialized by " + Thread.currentThread().getName());
    }

    public OwnLoggerFinder() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Silent(name);
    }

    private record Silent(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return false;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {}

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {}
    }
}
