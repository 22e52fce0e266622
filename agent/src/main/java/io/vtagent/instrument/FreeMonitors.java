package io.vtagent.instrument;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.vm.MonitorFields;
import io.vtagent.vm.OwnScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Has the probe tell a monitor that was contended before, but is free, from one that has to be waited for: as soon as what the JVM
 * says about the fields of monitors has proved true of one that was contended, owned and free.
 */
final class FreeMonitors {
    /** So often the probe is asked about the free one, so that HotSpot compiles what asks (Tier3InvocationThreshold, 200, if it has time). */
    private static final int COMPILED_AFTER = 5_000;

    private final @Nullable MonitorFields fields;
    private boolean seenContended;

    FreeMonitors() {
        VtAgentProbe.monitorFields(0, 0); // an agent that was detached may have left them behind
        boolean onlyInterprets = System.getProperty("java.vm.info", "").contains("interpreted mode");
        fields = onlyInterprets ? null : MonitorFields.find(VtAgentProbe.MOST_BYTES);
    }

    /** {@code monitor} is owned by the current thread, and another one waits to enter it. */
    void lookWhileContended(Object monitor) {
        seenContended = fields != null && fields.isContended(monitor) && !isFree(fields, monitor);
    }

    /**
     * Looks at the {@code monitor} that was contended while it is owned and while it is free. Meanwhile a thread of {@code scheduler} is in {@code Object.wait}
     * with it, so that the JVM does not deflate it.
     *
     * @return whether free ones are told from now on
     */
    boolean areTold(Object monitor, OwnScheduler scheduler) {
        if (fields == null || !seenContended) {
            return false;
        }
        boolean[] proved = new boolean[1];
        scheduler.waitOn(monitor, () -> proved[0] = isNotFreeOwned(fields, monitor) && isFreeForLong(fields, monitor));
        if (proved[0]) {
            VtAgentProbe.monitorFields(fields.owner(), fields.contentions());
        }
        return proved[0];
    }

    private static boolean isNotFreeOwned(MonitorFields fields, Object monitor) {
        synchronized (monitor) {
            return !isFree(fields, monitor) && !fields.isContended(monitor);
        }
    }

    private static boolean isFreeForLong(MonitorFields fields, Object monitor) {
        boolean free = true;
        for (int i = 0; i < COMPILED_AFTER; i++) {
            free &= isFree(fields, monitor);
        }
        return free;
    }

    private static boolean isFree(MonitorFields fields, Object monitor) {
        return VtAgentProbe.isFree(monitor, fields.owner(), fields.contentions());
    }
}
