package io.vtagent.it.workload;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

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
        Map<Thread, Long> before = allocatedByCarriers(threads);
        pin(inMonitor, park, pins);
        Map<Thread, Long> after = allocatedByCarriers(threads);
        if (after.isEmpty()) {
            throw new IllegalStateException(
                    "No live thread is named as a carrier is, so nothing was measured.");
        }
        long allocated = 0;
        for (Map.Entry<Thread, Long> carrier : after.entrySet()) {
            allocated += carrier.getValue() - before.getOrDefault(carrier.getKey(), 0L);
        }
        WorkloadConsole.fact("bytesPerPin", (double) allocated / pins);
        TreeSet<String> names = new TreeSet<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
        WorkloadConsole.fact("threads", String.join(",", names));
        WorkloadConsole.done();
    }

    /** Returns how much each carrier has allocated that has not ended. */
    private static Map<Thread, Long> allocatedByCarriers(ThreadMXBean threads) {
        Map<Thread, Long> allocated =
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("ForkJoinPool-1-worker-"))
                        .collect(
                                Collectors.toMap(
                                        carrier -> carrier,
                                        carrier ->
                                                threads.getThreadAllocatedBytes(
                                                        carrier.threadId())));
        allocated.values().removeIf(bytes -> bytes < 0);
        return allocated;
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
