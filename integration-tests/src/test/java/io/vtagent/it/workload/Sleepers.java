package io.vtagent.it.workload;

/**
 * {@code TASKS MILLIS}: tasks that sleep and hold nothing; last, when asked, one that sleeps in a
 * class initializer.
 */
public final class Sleepers {
    private Sleepers() {}

    private static final class Control {
        static {
            try {
                Thread.sleep(50);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        int tasks = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        Tasks.run(tasks, number -> Thread.sleep(millis));
        WorkloadConsole.done();
        Tasks.run(1, number -> Control.initialize());
        WorkloadConsole.printAndWait("pinned");
    }
}
