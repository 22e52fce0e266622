package io.vtagent.it.workload;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that run for a moment, one after the other, and beside them a platform thread
 * that does as much, until the test ends it.
 */
public final class Ticking {
    private static final long PERIOD_NANOS = 5_000_000;

    private static volatile boolean ended;

    private Ticking() {}

    public static void main(String[] arguments) throws InterruptedException {
        AtomicLong virtual = new AtomicLong();
        AtomicLong platform = new AtomicLong();
        Thread first = Thread.ofVirtual().start(() -> tick(virtual));
        Thread second = Thread.ofPlatform().start(() -> tick(platform));
        WorkloadConsole.printAndWait("running");
        ended = true;
        first.join();
        second.join();
        WorkloadConsole.fact("virtual", virtual.get());
        WorkloadConsole.fact("platform", platform.get());
        WorkloadConsole.done();
    }

    private static void tick(AtomicLong ticks) {
        while (!ended) {
            LockSupport.parkNanos(PERIOD_NANOS);
            ticks.incrementAndGet();
        }
    }
}
