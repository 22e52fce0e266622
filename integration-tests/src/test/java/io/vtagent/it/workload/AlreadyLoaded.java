package io.vtagent.it.workload;

/**
 * A program into which the agent is loaded while it runs: its classes are loaded and have run before. Then two virtual threads
 * sleep in one monitor, and one in a class initializer.
 */
public final class AlreadyLoaded {
    private static final Object MONITOR = new Object();

    private AlreadyLoaded() {}

    private static final class Sleeping {
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
        Tasks.run(2, number -> sleep());
        Told.says("running");
        Tasks.run(2, number -> sleep());
        Tasks.run(1, number -> Sleeping.initialize());
        Told.fact("site", Here.of("sleep"));
        Told.done();
    }

    private static void sleep() throws InterruptedException {
        synchronized (MONITOR) {
            Thread.sleep(Here.is("sleep", 50));
        }
    }
}
