package io.vtagent.compatibility.pins;

/** The ways in which a virtual thread holds its carrier, each of them once a call. */
@SuppressWarnings({
    "UnusedNestedClass", // the initializers, by name
    "UnusedVariable"
})
final class Pins {
    private static final long MILLIS = 20;

    /** So that the monitors escape, or the compiler might do without them. */
    private static volatile Monitor latest = new Monitor();

    private Pins() {}

    /**
     * The monitor of a call: each call has one of its own, so that they do not wait for each other.
     */
    private static final class Monitor {
        synchronized void sleep() throws InterruptedException {
            Thread.sleep(MILLIS);
        }

        @SuppressWarnings("WaitNotInLoop") // the wait is all there is
        synchronized void await() throws InterruptedException {
            wait(MILLIS);
        }
    }

    static void park() throws InterruptedException {
        monitor().sleep();
    }

    static void await() throws InterruptedException {
        monitor().await();
    }

    private static Monitor monitor() {
        Monitor monitor = new Monitor();
        latest = monitor;
        return monitor;
    }

    /** Initializes class {@code number}, from 0 to 3; only the first call for a number does. */
    static void initialize(int number) throws ClassNotFoundException {
        Class.forName(Pins.class.getName() + "$Initializer" + number);
    }

    private static final class Initializer0 {
        static {
            sleep();
        }
    }

    private static final class Initializer1 {
        static {
            sleep();
        }
    }

    private static final class Initializer2 {
        static {
            sleep();
        }
    }

    private static final class Initializer3 {
        static {
            sleep();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
