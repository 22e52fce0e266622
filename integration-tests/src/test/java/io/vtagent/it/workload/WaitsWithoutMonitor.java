package io.vtagent.it.workload;

import java.util.concurrent.atomic.LongAdder;

/**
 * {@code TASKS}: every task waits for a monitor that it does not have. Then one waits that has it.
 */
@SuppressWarnings("WaitNotInLoop") // no notifications
public final class WaitsWithoutMonitor {
    private static final Object MONITOR = new Object();
    private static final LongAdder REFUSED = new LongAdder();

    private WaitsWithoutMonitor() {}

    public static void main(String[] arguments) throws InterruptedException {
        Tasks.run(
                Integer.parseInt(arguments[0]),
                number -> {
                    try {
                        MONITOR.wait(1);
                    } catch (IllegalMonitorStateException refused) {
                        REFUSED.increment();
                    }
                });
        WorkloadConsole.fact("refused", REFUSED.sum());
        WorkloadConsole.done();
        Tasks.run(
                1,
                number -> {
                    synchronized (MONITOR) {
                        MONITOR.wait(1);
                    }
                });
        WorkloadConsole.printAndWait("waited");
    }
}
