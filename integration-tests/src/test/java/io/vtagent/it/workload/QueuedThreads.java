package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code HELD QUEUED}: virtual threads that hold their carriers on every JDK, in a method which
 * native code has called, until the test goes on; then others, which find no carrier. Needs {@code
 * -Djdk.reflect.useNativeAccessorOnly=true}.
 */
public final class QueuedThreads {
    private static volatile boolean released;

    private QueuedThreads() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        Method hold = QueuedThreads.class.getDeclaredMethod("hold");
        WorkloadConsole.warmUp();
        List<Thread> holding =
                Tasks.start(Integer.parseInt(arguments[0]), number -> hold.invoke(null));
        for (Thread thread : holding) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        WorkloadConsole.printAndWait("held");
        List<Thread> queued = Tasks.start(Integer.parseInt(arguments[1]), number -> {});
        WorkloadConsole.printAndWait("queued");
        released = true;
        holding.forEach(LockSupport::unpark);
        Tasks.join(holding);
        Tasks.join(queued);
        WorkloadConsole.done();
    }

    static void hold() {
        while (!released) {
            LockSupport.park();
        }
    }
}
