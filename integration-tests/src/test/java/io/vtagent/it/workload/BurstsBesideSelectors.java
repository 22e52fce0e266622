package io.vtagent.it.workload;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code SELECTING BURSTS}: virtual threads that select, and beside them that many bursts of others
 * that end at once. The fact is for how long these bursts went on.
 */
public final class BurstsBesideSelectors {
    private static final int BURST = 3;
    private static final long PAUSE_NANOS = 100_000;

    private BurstsBesideSelectors() {}

    public static void main(String[] arguments) throws InterruptedException {
        Tasks.start(Integer.parseInt(arguments[0]), number -> select());
        WorkloadConsole.printAndWait("selecting");
        long beganNanos = System.nanoTime();
        for (int burst = 0; burst < Integer.parseInt(arguments[1]); burst++) {
            Tasks.run(BURST, number -> {});
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        WorkloadConsole.fact("seconds", (System.nanoTime() - beganNanos) / 1e9);
        WorkloadConsole.done();
    }

    private static void select() throws IOException {
        try (Selector selector = Selector.open()) {
            while (true) {
                selector.select();
            }
        }
    }
}
