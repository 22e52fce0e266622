package io.vtagent.instrument;

/**
 * Waits in a class initializer, the only place where {@code Object.wait} holds the carrier on every
 * JDK. An initializer runs only once, and so does this test.
 */
final class WaitInInitializer {
    private WaitInInitializer() {}

    static void await() {
        Initializer.run();
    }

    @SuppressWarnings("WaitNotInLoop") // never notified: it ends when the time is over
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
