package io.vtagent.record;

import io.vtagent.thread.AgentThread;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes threads of the agent's that wait until there are carriers, when a hook is told that one was made. As long as none was ever told of, it asks
 * instead, every now and then. Thread-safe.
 */
public final class CarrierArrivals {
    private static final long SHORTEST_NANOS = 1_000_000;
    private static final long LONGEST_NANOS = 500_000_000;

    /** A carrier wakes whoever waits: that it asks at all meanwhile is for a carrier that came to be otherwise. */
    private static final long LONGEST_HEARD_NANOS = 5_000_000_000L;

    /** As long as the hook is not known to work, what is asked for is found late by this part of the time until then. */
    private static final long PART = 1_000;

    /** A thread of the agent's that waits, and the first carrier that was made since it asked last. */
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

    /** Those that wait here now. An array never changes. */
    private volatile Waiting[] waiting = {};

    private volatile boolean heard;

    private volatile @Nullable FirstCarrier first;

    /** From now on has {@code newFirst} hear of each carrier before anybody else. */
    void first(FirstCarrier newFirst) {
        first = newFirst;
    }

    /** A carrier was made, of whatever scheduler. For a hook. */
    void arrived() {
        FirstCarrier known = first;
        if (known != null) {
            known.onCarrierMade();
        }
        heard = true;
        for (Waiting each : waiting) {
            each.arrived();
        }
    }

    /** Whether a carrier was ever told of, so that the next ones will be, too. */
    public boolean isHeard() {
        return heard;
    }

    /**
     * Waits until there are carriers, the agent ends, or {@code mostNanos} have passed. For a thread of the agent.
     *
     * @param there whether there are
     * @return the last time at which there were none, by {@code System.nanoTime()}: when the first carrier was made, if that was told; the time of
     *     the call if there were some
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
        while (!there.getAsBoolean() && passedNanos < mostNanos && !AgentThread.isOver()) {
            noneNanos = passedNanos;
            current.arrived = false;
            long leftNanos = mostNanos - passedNanos;
            if (heard) {
                LockSupport.parkNanos(Math.min(LONGEST_HEARD_NANOS, leftNanos));
                Thread.interrupted(); // the application's doing: with the status set, no park would last
            } else {
                long partNanos = Math.max(passedNanos / PART, SHORTEST_NANOS);
                AgentThread.pause(Math.min(Math.min(partNanos, LONGEST_NANOS), leftNanos));
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
