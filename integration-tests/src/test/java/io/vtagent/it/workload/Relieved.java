package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code monitor|native TASKS MICROS}: tasks that park that long, each in a monitor of its own or
 * called by native code (given {@code -Djdk.reflect.useNativeAccessorOnly=true}), some thousand at
 * a time. Then it prints whether eight carriers can still run at once.
 */
public final class Relieved {
    private static final int AT_A_TIME = 2_000;
    private static final int CARRIERS = 8;
    private static final Object[] MONITORS = new Object[AT_A_TIME * 2];
    private static final LongAdder DONE = new LongAdder();
    private static final AtomicInteger PINNED = new AtomicInteger();
    private static final AtomicInteger MAX_PINNED = new AtomicInteger();

    private Relieved() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        boolean inMonitor = arguments[0].equals("monitor");
        int tasks = Integer.parseInt(arguments[1]);
        long nanos = Long.parseLong(arguments[2]) * 1_000;
        Arrays.setAll(MONITORS, number -> new Object());
        Method park = Relieved.class.getDeclaredMethod("park", long.class);
        run(inMonitor, park, CARRIERS, nanos);
        DONE.reset();
        MAX_PINNED.set(0);
        WorkloadConsole.printAndWait("warm");
        run(inMonitor, park, tasks, nanos);
        WorkloadConsole.fact("most pinned at a time", MAX_PINNED.get());
        WorkloadConsole.fact("tasks", DONE.sum());
        WorkloadConsole.printAndWait("ran");
        WorkloadConsole.fact("atOnce", atOnce());
        WorkloadConsole.done();
    }

    private static void run(boolean inMonitor, Method park, int tasks, long nanos)
            throws InterruptedException {
        Semaphore places = new Semaphore(AT_A_TIME);
        for (int i = 0; i < tasks; i++) {
            Object monitor = MONITORS[i % MONITORS.length];
            places.acquire();
            Tasks.start(
                    1,
                    number -> {
                        if (inMonitor) {
                            parkIn(monitor, nanos);
                        } else {
                            park.invoke(null, nanos);
                        }
                        DONE.increment();
                        places.release();
                    });
        }
        places.acquire(AT_A_TIME);
    }

    private static void parkIn(Object monitor, long nanos) throws InterruptedException {
        synchronized (monitor) {
            park(nanos);
        }
    }

    /** Not a bare park, which may return at once where the scheduler has just woken the carrier. */
    static void park(long nanos) throws InterruptedException {
        MAX_PINNED.accumulateAndGet(PINNED.incrementAndGet(), Math::max);
        Thread.sleep(Duration.ofNanos(nanos));
        PINNED.decrementAndGet();
    }

    /**
     * Returns how many virtual threads run at the same time, of as many as there ought to be
     * carriers.
     */
    private static long atOnce() throws InterruptedException {
        LongAdder running = new LongAdder();
        Tasks.run(
                CARRIERS,
                number -> {
                    running.increment();
                    while (running.sum() < CARRIERS) {
                        Thread.onSpinWait();
                    }
                });
        return running.sum();
    }
}
