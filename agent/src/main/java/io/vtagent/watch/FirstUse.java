package io.vtagent.watch;

import io.vtagent.thread.AgentThread;
import io.vtagent.vm.CarrierPool;

/** Waits for the first virtual thread. Nobody tells of it; it is found late by a thousandth of the time until then, and by 1 to 500 ms. */
final class FirstUse {
    private static final long SHORTEST_NANOS = 1_000_000;
    private static final long LONGEST_NANOS = 500_000_000;
    private static final long PART = 1_000;

    private FirstUse() {}

    /**
     * Waits until the scheduler is used, or for {@code mostNanos}.
     *
     * @return the last time at which it was not used, by {@code System.nanoTime()}; the time of the call if it was
     */
    static long await(CarrierPool pool, long mostNanos) {
        long beganNanos = System.nanoTime();
        long passedNanos = 0;
        long unusedNanos = 0;
        while (!pool.isUsed() && passedNanos < mostNanos && !AgentThread.isOver()) {
            unusedNanos = passedNanos;
            AgentThread.pause(Math.min(Math.max(passedNanos / PART, SHORTEST_NANOS), LONGEST_NANOS));
            passedNanos = System.nanoTime() - beganNanos;
        }
        return beganNanos + unusedNanos;
    }
}
