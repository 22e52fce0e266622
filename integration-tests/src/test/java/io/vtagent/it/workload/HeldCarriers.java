package io.vtagent.it.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code PARKED WAITING ENTERING}: that many virtual threads hold their carriers, each in that way
 * and in a monitor, until the test goes on.
 */
public final class HeldCarriers {
    private static final Object OCCUPIED = new Object();
    private static final Object SIGNAL = new Object();
    private static volatile boolean released;

    private HeldCarriers() {}

    public static void main(String[] arguments) throws InterruptedException {
        List<Thread> parked =
                Tasks.start(Integer.parseInt(arguments[0]), number -> park(new Object()));
        List<Thread> waiting =
                Tasks.start(Integer.parseInt(arguments[1]), number -> waitForSignal());
        List<Thread> entering = new ArrayList<>();
        synchronized (OCCUPIED) {
            entering.addAll(Tasks.start(Integer.parseInt(arguments[2]), number -> enter()));
            await(parked, Thread.State.WAITING);
            await(waiting, Thread.State.WAITING);
            await(entering, Thread.State.BLOCKED);
            WorkloadConsole.printAndWait("held");
        }
        released = true;
        parked.forEach(LockSupport::unpark);
        synchronized (SIGNAL) {
            SIGNAL.notifyAll();
        }
        Tasks.join(parked);
        Tasks.join(waiting);
        Tasks.join(entering);
        WorkloadConsole.done();
    }

    private static void park(Object monitor) {
        synchronized (monitor) {
            while (!released) {
                LockSupport.park();
            }
        }
    }

    private static void waitForSignal() throws InterruptedException {
        synchronized (SIGNAL) {
            while (!released) {
                SIGNAL.wait();
            }
        }
    }

    private static void enter() {
        synchronized (OCCUPIED) {
            LockSupport.unpark(Thread.currentThread());
        }
    }

    private static void await(List<Thread> threads, Thread.State state) {
        for (Thread thread : threads) {
            while (thread.getState() != state) {
                Thread.onSpinWait();
            }
        }
    }
}
