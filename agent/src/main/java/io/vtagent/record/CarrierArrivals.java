package io.vtagent.record;

import io.vtagent.thread.AgentThread;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Wakes threads of the agent's that wait until there are carriers, when a hook is told that one was made. As long as none was ever told of, it asks
 * instead, every now and then. Thread-safe.
 */
public final class CarrierArrivals {
    private static final long SHORTEST_NANOS = 1_000_000;
    private static final long LONGEST_NANOS = 500_000_000;

    /** As long as the hook is not known to work, what is asked for is found late by this part of the time until then. */
    private static final long PART = 1_000;

    /** Threads of the agent's that wait here now. An array never changes. */
    private volatile Thread[] waiting = {};

    private volatile boolean heard;

    /** A carrier was made, of whatever scheduler. For a hook. */
    void arrived() {
        heard = true;
        for (Thread thread : waiting) {
            LockSupport.unpark(thread);
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
     * @return the last time at which there were none, by {@code System.nanoTime()}; the time of the call if there were some
     */
    public long await(BooleanSupplier there, long mostNanos) {
        begin(Thread.currentThread());
        try {
            return awaitWoken(there, mostNanos);
        } finally {
            end(Thread.currentThread());
        }
    }

    private long awaitWoken(BooleanSupplier there, long mostNanos) {
        long beganNanos = System.nanoTime();
        long passedNanos = 0;
        long noneNanos = 0;
        while (!there.getAsBoolean() && passedNanos < mostNanos && !AgentThread.isOver()) {
            noneNanos = passedNanos;
            long leftNanos = mostNanos - passedNanos;
            if (heard) {
                LockSupport.parkNanos(Math.min(LONGEST_NANOS, leftNanos));
                Thread.interrupted(); // the application's doing: with the status set, no park would last
            } else {
                long partNanos = Math.max(passedNanos / PART, SHORTEST_NANOS);
                AgentThread.pause(Math.min(Math.min(partNanos, LONGEST_NANOS), leftNanos));
            }
            passedNanos = System.nanoTime() - beganNanos;
        }
        return beganNanos + noneNanos;
    }

    private synchronized void begin(Thread thread) {
        Thread[] more = Arrays.copyOf(waiting, waiting.length + 1);
        more[waiting.length] = thread;
        waiting = more;
    }

    private synchronized void end(Thread thread) {
        waiting = Arrays.stream(waiting).filter(each -> each != thread).toArray(Thread[]::new);
    }
}
