package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Waits of a workload for its own threads. */
final class Waiting {
    private Waiting() {}

    static void forLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    /** Until all of them are parked. */
    static void awaitAll(List<Thread> threads) {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
    }
}
