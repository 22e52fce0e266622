package io.vtagent.it.workload;

import java.util.logging.LogManager;

/**
 * Tells whether anybody has brought up {@code java.util.logging} before {@code main}, and whose log
 * manager it has then.
 */
public final class Logging {
    /** A system property. */
    static final String TRACE = "it.log.manager";

    private Logging() {}

    public static void main(String[] arguments) {
        String before = System.getProperty(TRACE, "not initialized");
        Told.fact("before", before);
        Told.fact("manager", LogManager.getLogManager().getClass().getName());
        Told.done();
    }
}
