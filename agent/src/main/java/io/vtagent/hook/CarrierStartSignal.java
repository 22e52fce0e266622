package io.vtagent.hook;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.thread.AgentThread;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes threads of the agent that wait for carriers to exist, when a hook reports a new carrier.
 * Until the hook has reported its first carrier, the threads poll. Thread-safe.
 */
public final class CarrierStartSignal {
    private static final long MIN_NANOS = 1_000_000;
    private static final long MAX_NANOS = 500_000_000;

    /**
     * The polling interval once the hook works. A new carrier wakes the waiting threads; polling
     * covers carriers that were created in another way.
     */
    private static final long MAX_HEARD_NANOS = 5_000_000_000L;

    /**
     * Until the hook is known to work, the polling interval is the time waited so far divided by
     * this, within the limits above.
     */
    private static final long PART = 1_000;

    /**
     * A waiting thread of the agent, and the time at which the first carrier was created since its
     * last check.
     */
    private static final class Waiting {
        private final Thread thread;
        private long arrivedNanos;
        private volatile boolean arrived;

        Waiting(Thread thread) {
            this.thread = thread;
        }

        void arrived() {
            if (!arrived) {
                arrivedNanos = System.nanoTime();
                arrived = true;
            }
            LockSupport.unpark(thread);
        }
    }

    /** The threads that wait now. An array never changes. */
    private volatile Waiting[] waiting = {};

    private volatile boolean anyArrived;

    private volatile @Nullable VtAgentProbe first;

    /** Makes {@code newFirst} the first to be notified of each carrier, starting now. */
    public void first(VtAgentProbe newFirst) {
        first = newFirst;
    }

    /** Called by a hook when a carrier of any scheduler was created. */
    void arrived() {
        VtAgentProbe known = first;
        if (known != null) {
            known.onCarrierMade();
        }
        anyArrived = true;
        for (Waiting each : waiting) {
            each.arrived();
        }
    }

    /**
     * Returns whether the hook has ever reported a carrier, so that it will report the next ones
     * too.
     */
    public boolean hasArrived() {
        return anyArrived;
    }

    /**
     * Waits until there are carriers, the agent ends, or {@code mostNanos} have passed. Called by a
     * thread of the agent.
     *
     * @param there returns whether there are carriers
     * @return the last time at which there were none, by {@code System.nanoTime()}: the time at
     *     which the first carrier was created, if the hook reported it; the time of the call, if
     *     there were some already; otherwise the time of the last check that found none
     */
    public long await(BooleanSupplier there, long mostNanos) {
        Waiting current = new Waiting(Thread.currentThread());
        begin(current);
        try {
            return awaitWoken(current, there, mostNanos);
        } finally {
            end(current);
        }
    }

    private long awaitWoken(Waiting current, BooleanSupplier there, long mostNanos) {
        long beganNanos = System.nanoTime();
        long passedNanos = 0;
        long noneNanos = 0;
        while (!there.getAsBoolean() && passedNanos < mostNanos && !AgentThread.isDetached()) {
            noneNanos = passedNanos;
            current.arrived = false;
            long leftNanos = mostNanos - passedNanos;
            if (anyArrived) {
                LockSupport.parkNanos(Math.min(MAX_HEARD_NANOS, leftNanos));
                Thread.interrupted(); // the application set it; no park would last
            } else {
                long partNanos = Math.max(passedNanos / PART, MIN_NANOS);
                AgentThread.pause(Math.min(Math.min(partNanos, MAX_NANOS), leftNanos));
            }
            passedNanos = System.nanoTime() - beganNanos;
        }
        return current.arrived ? current.arrivedNanos : beganNanos + noneNanos;
    }

    private synchronized void begin(Waiting one) {
        Waiting[] more = Arrays.copyOf(waiting, waiting.length + 1);
        more[waiting.length] = one;
        waiting = more;
    }

    private synchronized void end(Waiting one) {
        waiting = Arrays.stream(waiting).filter(each -> each != one).toArray(Waiting[]::new);
    }
}
