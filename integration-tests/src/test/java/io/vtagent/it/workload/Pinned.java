package io.vtagent.it.workload;

import java.util.Arrays;

/**
 * {@code TASKS MILLIS}: every task sleeps once in a monitor of its own and waits once, then one
 * sleeps in a class initializer. Uses nothing outside {@code java.*}.
 */
public final class Pinned {
    private static long millis;

    private Pinned() {}

    private static final class Initializer {
        static {
            sleep();
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        int tasks = Integer.parseInt(arguments[0]);
        millis = Long.parseLong(arguments[1]);
        Pinned[] monitors = new Pinned[tasks];
        Arrays.setAll(monitors, number -> new Pinned());
        // what the first pins bring up
        Tasks.run(tasks, number -> monitors[number].sleepIn());
        Tasks.run(1, number -> monitors[number].waitIn());
        WorkloadConsole.printAndWait("warm");
        Tasks.run(tasks, number -> monitors[number].sleepIn());
        Tasks.run(tasks, number -> monitors[number].waitIn());
        Tasks.run(1, number -> Initializer.initialize());
        WorkloadConsole.done();
        System.exit(7);
    }

    private synchronized void sleepIn() {
        sleep();
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private synchronized void waitIn() throws InterruptedException {
        wait(millis);
    }

    private static void sleep() {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
