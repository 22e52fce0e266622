package io.vtagent.instrument;

/**
 * Waits in a class initializer: the one place where {@code Object.wait} holds the carrier on every JDK. An initializer runs once,
 * and so does this test.
 */
final class WaitInInitializer {
    private static volatile boolean ended;

    private WaitInInitializer() {}

    /** Waits until {@link #end}. */
    static void await() {
        Initializer.run();
    }

    static void end() {
        synchronized (SelfTest.MONITOR) {
            ended = true;
            SelfTest.MONITOR.notifyAll();
        }
    }

    private static final class Initializer {
        static {
            ended = false;
            synchronized (SelfTest.MONITOR) {
                while (!ended) {
                    try {
                        SelfTest.MONITOR.wait();
                    } catch (InterruptedException nobodyDoes) {
                        break;
                    }
                }
            }
        }

        static void run() {
            // the initializer has run
        }
    }
}
