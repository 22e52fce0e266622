package io.vtagent.record;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.OwnScheduler;
import io.vtagent.thread.AgentThread;

/**
 * Makes threads that create a carrier wait until the agent has started, so that no virtual thread
 * runs unobserved. The application does not wait for the agent otherwise. The probe calls this gate
 * until it calls the ledger's hooks. Thread-safe.
 */
public final class StartupGate extends VtAgentProbe {
    private static final long POLL_MILLIS = 1;

    private final long longestNanos;
    private volatile boolean begun;
    private volatile boolean unseen;

    /**
     * @param longestNanos the maximum time that a thread waits; after one has waited that long,
     *     none waits any more
     */
    public StartupGate(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    /** Returns whether a wait timed out, so that a carrier started before the agent had. */
    public boolean isUnseen() {
        return unseen;
    }

    /** Opens the gate: the agent has started, or never will. */
    public void begun() {
        begun = true;
    }

    /**
     * Waits, unless the agent itself creates the carrier in order to start. Does not use {@code
     * LockSupport}, because the thread's permit belongs to the application.
     */
    @Override
    public void onCarrierMade() {
        Thread thread = Thread.currentThread();
        if (begun
                || unseen
                || thread.isVirtual()
                || AgentThread.isCurrent()
                || OwnScheduler.owns(thread)) {
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
