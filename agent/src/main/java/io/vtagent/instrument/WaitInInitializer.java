package io.vtagent.instrument;

/**
 * Waits in a class initializer: the one place where {@code Object.wait} holds the carrier on every JDK. An initializer runs once,
 * and so does this test.
 */
final class WaitInInitializer {
    private WaitInInitializer() {}

    static void await() {
        Initializer.run();
    }

    @SuppressWarnings("WaitNotInLoop") // nobody notifies: it is over when the time is
    private static final class Initializer {
        static {
            Object monitor = new Object();
            synchronized (monitor) {
                try {
                    monitor.wait(1);
                } catch (InterruptedException nobodyDoes) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        static void run() {
            // the initializer has run
        }
    }
}
