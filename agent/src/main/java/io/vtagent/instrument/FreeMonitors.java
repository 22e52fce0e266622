package io.vtagent.instrument;

import io.vtagent.hotspot.MonitorFields;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.OwnScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Enables the probe to distinguish a free monitor that was contended before from one that a thread
 * has to wait for. First the offsets of the monitor's fields, which the JVM provides, are verified
 * on a monitor while it is contended, owned and free.
 */
final class FreeMonitors {
    /**
     * The number of calls of the probe for the free monitor. It makes HotSpot compile the called
     * method (Tier3InvocationThreshold, 200, if the compiler has time).
     */
    private static final int COMPILED_AFTER = 5_000;

    private final @Nullable MonitorFields fields;
    private boolean seenContended;

    FreeMonitors() {
        VtAgentProbe.monitorFields(0, 0); // a detached agent may have left offsets behind
        boolean onlyInterprets =
                System.getProperty("java.vm.info", "").contains("interpreted mode");
        fields = onlyInterprets ? null : MonitorFields.find(VtAgentProbe.MAX_BYTES);
    }

    /**
     * Verifies the offsets while the current thread owns {@code monitor} and another thread waits
     * to enter it.
     */
    void verifyContended(Object monitor) {
        seenContended = fields != null && fields.isContended(monitor) && !isFree(fields, monitor);
    }

    /**
     * Verifies the offsets on {@code monitor}, which was contended, while it is owned and while it
     * is free. Meanwhile a thread of {@code scheduler} is in {@code Object.wait} on it, so that the
     * JVM does not deflate it.
     *
     * @return whether the probe recognizes free monitors from now on
     */
    boolean verifyFree(Object monitor, OwnScheduler scheduler) {
        if (fields == null || !seenContended) {
            return false;
        }
        boolean[] proved = new boolean[1];
        scheduler.waitOn(
                monitor,
                () ->
                        proved[0] =
                                isNotFreeOwned(fields, monitor) && isFreeForLong(fields, monitor));
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
