package io.vtagent.instrument;

import io.vtagent.ledger.Ledger;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.OwnScheduler;
import io.vtagent.thread.AgentThread;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads that create a carrier wait until the agent's hooks are called, so that no virtual
 * thread runs unobserved. The application does not wait for the agent otherwise. The probe calls
 * this gate until it calls the ledger's hooks. Thread-safe.
 */
public final class StartupGate extends VtAgentProbe {
    private static final long POLL_MILLIS = 1;
    private static final long POLL_NANOS = 1_000_000;

    private final long longestNanos;
    private volatile boolean begun;
    private volatile boolean timedOut;
    private volatile @Nullable Ledger observing;

    /**
     * @param longestNanos the maximum time that a thread waits; after one has waited that long,
     *     none waits any more
     */
    public StartupGate(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    /** Opens the gate: the hooks of {@code ledger} are called from now on. */
    public void observedBy(Ledger ledger) {
        observing = ledger;
    }

    /** Waits until the hooks are called, for the agent's thread that starts what is left. */
    public void awaitHooks(long mostNanos) {
        long beganNanos = System.nanoTime();
        while (!isOpen() && System.nanoTime() - beganNanos < mostNanos) {
            AgentThread.pause(POLL_NANOS);
        }
    }

    /** Returns what the hooks report to; null if they are not called yet. */
    public @Nullable Ledger observing() {
        return observing;
    }

    /** Returns whether the agent has begun, or never will. */
    public boolean isBegun() {
        return begun;
    }

    /** Returns whether a wait timed out, so that a carrier started before the agent had. */
    public boolean hasTimedOut() {
        return timedOut;
    }

    /** Opens the gate: the agent has begun, or never will. */
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
        if (isOpen()
                || timedOut
                || thread.isVirtual()
                || AgentThread.isCurrent()
                || OwnScheduler.owns(thread)) {
            return;
        }
        boolean interrupted = false;
        long beganNanos = System.nanoTime();
        while (!isOpen() && !timedOut) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException later) {
                interrupted = true;
            }
            if (System.nanoTime() - beganNanos > longestNanos) {
                timedOut = !isOpen();
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
    }

    private boolean isOpen() {
        return begun || observing != null;
    }
}
