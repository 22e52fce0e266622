package io.vtagent.it.workload;

import java.util.logging.LogManager;

/**
 * Configures logging while {@code main} runs already, as frameworks do. {@code manager} sets a log
 * manager then, {@code finder} expects one that the class path names as the {@code LoggerFinder}.
 * It prints which thread initialized it.
 */
public final class LateLogging {
    private LateLogging() {}

    public static void main(String[] arguments) {
        WorkloadConsole.printAndWait("running");
        WorkloadConsole.fact("before", System.getProperty(Logging.TRACE, "not initialized"));
        if (arguments[0].equals("manager")) {
            System.setProperty("java.util.logging.manager", OwnLogManager.class.getName());
            WorkloadConsole.fact("logging", LogManager.getLogManager().getClass().getName());
        } else {
            WorkloadConsole.fact("logging", System.getLogger("any").getClass().getName());
        }
        WorkloadConsole.fact("by", System.getProperty(Logging.TRACE, "nobody"));
        WorkloadConsole.done();
    }
}
