package io.vtagent.it.workload;

import java.util.logging.LogManager;

/**
 * Prints whether {@code java.util.logging} was initialized before {@code main}, and whose log
 * manager it has then.
 */
public final class Logging {
    /** A system property. */
    static final String TRACE = "it.log.manager";

    private Logging() {}

    public static void main(String[] arguments) {
        String before = System.getProperty(TRACE, "not initialized");
        WorkloadConsole.fact("before", before);
        WorkloadConsole.fact("manager", LogManager.getLogManager().getClass().getName());
        WorkloadConsole.done();
    }
}
