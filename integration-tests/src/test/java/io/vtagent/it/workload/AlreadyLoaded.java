package io.vtagent.it.workload;

import java.util.List;

/**
 * A program into which the agent is loaded while it runs: its classes are loaded and have run
 * before. Then two virtual threads sleep in one monitor, and one in a class initializer; last, some
 * wait for a {@code synchronized} method.
 */
public final class AlreadyLoaded {
    /** The number of threads that wait in the end. */
    public static final int WAITERS = 4;

    /** And for how long. */
    public static final int MILLIS = 200;

    private static final Object MONITOR = new Object();

    private AlreadyLoaded() {}

    /** Loaded, and of no use any more, as it is where an optional dependency is missing. */
    private static final class Failed {
        static {
            fail();
        }

        private static void fail() {
            throw new IllegalStateException("as it should");
        }

        static synchronized void initialize() {}
    }

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
        enter();
        failInInitializer();
        WorkloadConsole.printAndWait("running");
        Tasks.run(2, number -> sleep());
        Tasks.run(1, number -> Sleeping.initialize());
        WorkloadConsole.fact("site", SourceLine.of("sleep"));
        WorkloadConsole.done();
        WorkloadConsole.warmUp();
        contend();
        WorkloadConsole.printAndWait("contended");
    }

    /**
     * Makes that many virtual threads wait for a monitor of this class at the entry of its method.
     */
    private static void contend() throws InterruptedException {
        List<Thread> waiters;
        synchronized (AlreadyLoaded.class) {
            waiters = Tasks.start(WAITERS, number -> enter());
            for (Thread waiter : waiters) {
                while (waiter.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            Thread.sleep(MILLIS);
        }
        Tasks.join(waiters);
    }

    private static void failInInitializer() {
        try {
            Failed.initialize();
        } catch (ExceptionInInitializerError asItShould) {
            // which leaves the class in that state
        }
    }

    private static synchronized void enter() {
        Thread.onSpinWait(); // nothing that lasts
    }

    private static void sleep() throws InterruptedException {
        synchronized (MONITOR) {
            Thread.sleep(SourceLine.mark("sleep", 50));
        }
    }
}
