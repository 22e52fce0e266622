package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A virtual thread that parks in a class initializer until the test goes on. */
public final class HeldInitializer {
    private static volatile boolean released;

    private HeldInitializer() {}

    private static final class Parking {
        static {
            while (!released) {
                LockSupport.park();
            }
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<Thread> parked = Tasks.start(1, number -> Parking.initialize());
        while (parked.get(0).getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        WorkloadConsole.printAndWait("held");
        released = true;
        parked.forEach(LockSupport::unpark);
        Tasks.join(parked);
        WorkloadConsole.done();
    }
}
