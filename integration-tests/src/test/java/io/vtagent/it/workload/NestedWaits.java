package io.vtagent.it.workload;

/**
 * {@code again|outer|inner MILLIS}: a virtual thread calls {@code Object.wait} once, with the monitor in which it waits entered twice, with
 * another one that a caller of its has, or with another one that it has itself.
 */
public final class NestedWaits {
    private static final Pool POOL = new Pool();
    private static final Order ORDER = new Order();

    private NestedWaits() {}

    private static final class Pool {
        @SuppressWarnings("WaitNotInLoop") // the wait is all there is
        synchronized void take(long millis) throws InterruptedException {
            wait(millis);
        }

        synchronized void takeAgain(long millis) throws InterruptedException {
            take(millis);
        }

        @SuppressWarnings("WaitNotInLoop")
        void takeWith(Object other, long millis) throws InterruptedException {
            synchronized (this) {
                synchronized (other) {
                    wait(millis);
                }
            }
        }
    }

    private static final class Order {
        synchronized void pay(long millis) throws InterruptedException {
            POOL.takeAgain(millis);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long millis = Long.parseLong(arguments[1]);
        Tasks.run(1, number -> {
            switch (arguments[0]) {
                case "again" -> POOL.takeAgain(millis);
                case "outer" -> ORDER.pay(millis);
                default -> POOL.takeWith(ORDER, millis);
            }
        });
        Told.done();
    }
}
