package io.vtagent.it.workload;

import java.util.logging.LogManager;

/**
 * A log manager, as frameworks set it with {@code -Djava.util.logging.manager}. Leaves a trace when
 * it is initialized.
 */
public final class OwnLogManager extends LogManager {
    static {
        System.setProperty(Logging.TRACE, "initialized by " + Thread.currentThread().getName());
    }

    public OwnLogManager() {}
}
