package io.vtagent.it.workload;

import java.util.List;

/**
 * {@code again|outer|inner|entry MILLIS}: a virtual thread calls {@code Object.wait} once, with the
 * monitor in which it waits entered twice, with another one that a caller of its has, or with
 * another one that it has itself; or it waits to enter a monitor, with one that it has itself and
 * another one that its caller has.
 */
public final class NestedWaits {
    private static final Pool POOL = new Pool();
    private static final Order ORDER = new Order();

    private NestedWaits() {}

    private static final class Receipt {}

    private static final class Pool {
        @SuppressWarnings("WaitNotInLoop") // the wait is all there is
        synchronized void take(long millis) throws InterruptedException {
            wait(millis);
        }

        synchronized void takeAgain(long millis) throws InterruptedException {
            take(millis);
        }

        void giveWith(Receipt receipt) {
            synchronized (receipt) {
                synchronized (this) {
                    Thread.onSpinWait();
                }
            }
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
        synchronized void cancel() {
            POOL.giveWith(new Receipt());
        }

        synchronized void pay(long millis) throws InterruptedException {
            POOL.takeAgain(millis);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long millis = Long.parseLong(arguments[1]);
        if (arguments[0].equals("entry")) {
            enter(millis);
        } else {
            Tasks.run(1, number -> await(arguments[0], millis));
        }
        WorkloadConsole.done();
    }

    private static void enter(long millis) throws InterruptedException {
        List<Thread> entering;
        synchronized (POOL) {
            entering = Tasks.start(1, number -> ORDER.cancel());
            while (entering.getFirst().getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            Thread.sleep(millis);
        }
        Tasks.join(entering);
    }

    private static void await(String shape, long millis) throws InterruptedException {
        switch (shape) {
            case "again" -> POOL.takeAgain(millis);
            case "outer" -> ORDER.pay(millis);
            default -> POOL.takeWith(ORDER, millis);
        }
    }
}
