package io.vtagent.it.workload;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code monitor|native PINS}: one virtual thread that parks that often, in a monitor or called by
 * a native frame, each time until another thread has seen it. It prints how much the carriers have
 * allocated meanwhile, and which threads there are.
 */
public final class ManyParks {
    private static final Object MONITOR = new Object();
    private static final int WARM_UP_PINS = 20_000;
    private static volatile int parks;

    private ManyParks() {}

    public static void main(String[] arguments)
            throws InterruptedException, ReflectiveOperationException {
        boolean inMonitor = arguments[0].equals("monitor");
        int pins = Integer.parseInt(arguments[1]);
        Method park = ManyParks.class.getDeclaredMethod("park", int.class);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        pin(inMonitor, park, WARM_UP_PINS);
        WorkloadConsole.printAndWait("warm");
        long before = allocatedByCarriers(threads);
        pin(inMonitor, park, pins);
        long allocated = allocatedByCarriers(threads) - before;
        WorkloadConsole.fact("bytesPerPin", (double) allocated / pins);
        TreeSet<String> names = new TreeSet<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
        WorkloadConsole.fact("threads", String.join(",", names));
        WorkloadConsole.done();
    }

    private static long allocatedByCarriers(ThreadMXBean threads) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ForkJoinPool-1-worker-"))
                .mapToLong(carrier -> threads.getThreadAllocatedBytes(carrier.threadId()))
                .sum();
    }

    private static void pin(boolean inMonitor, Method park, int pins) throws InterruptedException {
        parks = 0;
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    if (inMonitor) {
                                        synchronized (MONITOR) {
                                            park(pins);
                                        }
                                        return;
                                    }
                                    try {
                                        park.invoke(null, pins);
                                    } catch (ReflectiveOperationException impossible) {
                                        throw new LinkageError("cannot call " + park, impossible);
                                    }
                                });
        for (int i = 1; i <= pins; i++) {
            // a park whose permit was there already does not wait, and so it may end before its
            // time
            while (thread.isAlive() && (parks < i || thread.getState() != Thread.State.WAITING)) {
                Thread.onSpinWait();
            }
            LockSupport.unpark(thread);
            // until it has left this park
            while (thread.isAlive() && parks == i && i < pins) {
                Thread.onSpinWait();
            }
        }
        thread.join();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // there is one thread that writes
    static void park(int pins) {
        for (int i = 0; i < pins; i++) {
            parks++;
            LockSupport.park();
        }
    }
}
