package io.vtagent.it.workload;

import java.util.Arrays;

/** {@code TASKS MILLIS}: every task calls {@code Object.wait} once, without a notification. */
public final class TimedWaits {
    private TimedWaits() {}

    public static void main(String[] arguments) throws InterruptedException {
        int tasks = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        Object[] monitors = new Object[tasks];
        Arrays.setAll(monitors, number -> new Object());
        Tasks.run(tasks, number -> waitIn(monitors[number], millis));
        WorkloadConsole.done();
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private static void waitIn(Object monitor, long millis) throws InterruptedException {
        synchronized (monitor) {
            monitor.wait(millis);
        }
    }
}
