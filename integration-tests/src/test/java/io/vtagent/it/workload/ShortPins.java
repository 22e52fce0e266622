package io.vtagent.it.workload;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.reflect.Method;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code monitor|native TASKS}: that many short-lived virtual threads, each of which parks once for
 * no time, in a monitor or called by a native frame. It prints how much memory is in use
 * afterwards.
 */
public final class ShortPins {
    private static final int IN_FLIGHT = 256;
    private static final int COLLECTIONS = 3;
    private static final Object[] MONITORS = new Object[4_096];

    private ShortPins() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        boolean inMonitor = arguments[0].equals("monitor");
        int tasks = Integer.parseInt(arguments[1]);
        Method park = ShortPins.class.getDeclaredMethod("park");
        Semaphore places = new Semaphore(IN_FLIGHT);
        for (int i = 0; i < tasks; i++) {
            int number = i;
            places.acquire();
            Thread.ofVirtual()
                    .start(
                            () -> {
                                if (inMonitor) {
                                    parkInMonitor(number);
                                } else {
                                    parkBelowNativeFrame(park);
                                }
                                places.release();
                            });
        }
        places.acquire(IN_FLIGHT);
        WorkloadConsole.printAndWait("pinned");
        WorkloadConsole.fact("usedBytes", usedBytes());
        WorkloadConsole.done();
    }

    private static void parkInMonitor(int number) {
        Object own = new Object();
        MONITORS[number % MONITORS.length] = own;
        synchronized (own) {
            park();
        }
    }

    /** With {@code -Djdk.reflect.useNativeAccessorOnly=true}. */
    private static void parkBelowNativeFrame(Method park) {
        try {
            park.invoke(null);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("cannot call " + park, impossible);
        }
    }

    static void park() {
        LockSupport.parkNanos(1);
    }

    /**
     * Returns the minimum of a few readings, because the last fact that was printed takes memory
     * too.
     */
    private static long usedBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
