package io.vtagent.it.reference;

/** One thread sleeps in a monitor that all want, in the three ways in which Java has monitors. */
final class SharedMonitors {
    private static final long MILLIS = 5;

    private SharedMonitors() {}

    static Workload block() {
        Object monitor = new Object();
        return (thread, round) -> {
            synchronized (monitor) {
                Thread.sleep(MILLIS);
            }
        };
    }

    static Workload method() {
        SharedMonitors shared = new SharedMonitors();
        return (thread, round) -> shared.sleep();
    }

    static Workload statically() {
        return (thread, round) -> sleepStatically();
    }

    private synchronized void sleep() throws InterruptedException {
        Thread.sleep(MILLIS);
    }

    private static synchronized void sleepStatically() throws InterruptedException {
        Thread.sleep(MILLIS);
    }
}
