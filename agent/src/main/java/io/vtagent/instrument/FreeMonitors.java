package io.vtagent.instrument;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.vm.MonitorFields;
import org.jspecify.annotations.Nullable;

/**
 * Has the probe tell a monitor that was contended before, but is free, from one that has to be waited for: as soon as what the JVM
 * says about the fields of monitors has proved true of one that was contended, owned and free.
 */
final class FreeMonitors {
    private final @Nullable MonitorFields fields = MonitorFields.find();
    private boolean seenContended;

    /** {@code monitor} is owned by the current thread, and another one waits for it. */
    void lookWhileContended(Object monitor) {
        seenContended = fields != null && fields.isOwned(monitor) && fields.isContended(monitor);
    }

    /**
     * The {@code monitor} that was contended is free.
     *
     * @return whether free ones are told from now on
     */
    boolean lookWhileFree(Object monitor) {
        if (fields == null || !seenContended || !isOwnedOnly(fields, monitor) || !isFree(fields, monitor)) {
            return false;
        }
        VtAgentProbe.monitorFields(fields.owner(), fields.contentions());
        return true;
    }

    private static boolean isOwnedOnly(MonitorFields fields, Object monitor) {
        synchronized (monitor) {
            return fields.isOwned(monitor) && !fields.isContended(monitor);
        }
    }

    private static boolean isFree(MonitorFields fields, Object monitor) {
        return MonitorFields.isInflated(monitor) && !fields.isOwned(monitor) && !fields.isContended(monitor);
    }
}
