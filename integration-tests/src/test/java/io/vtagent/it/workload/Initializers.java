package io.vtagent.it.workload;

/**
 * {@code park|wait MILLIS}: a class initializer that sleeps, or waits, on a virtual thread; a class
 * initializer cannot unmount on any JDK.
 */
public final class Initializers {
    private static final Object MONITOR = new Object();
    private static long millis;

    private Initializers() {}

    private static final class Sleeping {
        static {
            try {
                Thread.sleep(SourceLine.mark("park", millis));
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        static void initialize() {}
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    private static final class Waiting {
        static {
            synchronized (MONITOR) {
                try {
                    MONITOR.wait(SourceLine.mark("wait", millis));
                } catch (InterruptedException nobodyDoes) {
                    throw new AssertionError(nobodyDoes);
                }
            }
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        millis = Long.parseLong(arguments[1]);
        SourceLine.mark("nowhere", 0);
        // what the first sleep of all brings up
        Tasks.run(1, number -> Thread.sleep(1));
        WorkloadConsole.printAndWait("warm");
        Tasks.run(
                1,
                number -> {
                    long beganNanos = System.nanoTime();
                    switch (arguments[0]) {
                        case "park" -> Sleeping.initialize();
                        case "wait" -> Waiting.initialize();
                        default -> throw new IllegalArgumentException(arguments[0]);
                    }
                    WorkloadConsole.fact("seconds", (System.nanoTime() - beganNanos) / 1e9);
                });
        WorkloadConsole.fact("site", SourceLine.of(arguments[0]));
        WorkloadConsole.done();
    }
}
