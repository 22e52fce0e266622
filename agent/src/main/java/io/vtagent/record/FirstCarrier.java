package io.vtagent.record;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.OwnScheduler;

/**
 * Has whoever makes a carrier wait until the agent has begun, which the application does not wait for otherwise: no virtual thread runs
 * before it can be seen. The probe is to tell it until it tells the ledger's hooks. Thread-safe.
 */
public final class FirstCarrier extends VtAgentProbe {
    private static final long POLL_MILLIS = 1;

    private final long longestNanos;
    private volatile boolean begun;
    private volatile boolean unseen;

    /** @param longestNanos how long somebody waits, and then nobody else, whatever keeps the agent from beginning */
    public FirstCarrier(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    /** Whether a carrier was made before the agent had begun. */
    public boolean isUnseen() {
        return unseen;
    }

    /** The agent has begun, or never will. */
    public void begun() {
        begun = true;
    }

    /** Waits unless the agent itself makes a carrier, which it does to begin. Not by {@code LockSupport}: a permit to go on is the application's. */
    @Override
    public void onCarrierMade() {
        Thread thread = Thread.currentThread();
        if (begun || unseen || thread.isVirtual() || AgentThread.isCurrent() || OwnScheduler.owns(thread)) {
            return;
        }
        boolean interrupted = false;
        long beganNanos = System.nanoTime();
        while (!begun && !unseen) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException later) {
                interrupted = true;
            }
            if (System.nanoTime() - beganNanos > longestNanos) {
                unseen = !begun;
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
    }
}
