package io.vtagent.it.workload;

import java.util.logging.LogManager;

/**
 * Configures logging while {@code main} runs already, as frameworks do. {@code manager} sets a log
 * manager then, {@code finder} expects one that the class path names as the {@code LoggerFinder}.
 * Tells who initialized it.
 */
public final class LateLogging {
    private LateLogging() {}

    public static void main(String[] arguments) {
        Told.says("running");
        Told.fact("before", System.getProperty(Logging.TRACE, "not initialized"));
        if (arguments[0].equals("manager")) {
            System.setProperty("java.util.logging.manager", OwnLogManager.class.getName());
            Told.fact("logging", LogManager.getLogManager().getClass().getName());
        } else {
            Told.fact("logging", System.getLogger("any").getClass().getName());
        }
        Told.fact("by", System.getProperty(Logging.TRACE, "nobody"));
        Told.done();
    }
}
