package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code monitor|native PINNING TASKS}: while that many virtual threads pin for some milliseconds over and over, others compute, as many as
 * always some of them wait for a carrier. Tells how many of these ran at the same time, on average over their beginnings.
 */
public final class Beside {
    private static final long PIN_NANOS = 5_000_000;
    private static final long BETWEEN_NANOS = 1_000_000;
    /** A millisecond or two of a processor. */
    private static final int STEPS = 2_000_000;

    private static final int AT_A_TIME = 100;
    private static final AtomicInteger RUNNING = new AtomicInteger();
    private static final LongAdder BESIDE = new LongAdder();
    private static final LongAdder PINS = new LongAdder();
    private static final LongAdder SUMS = new LongAdder();
    private static volatile boolean computed;

    private Beside() {}

    public static void main(String[] arguments) throws ReflectiveOperationException, InterruptedException {
        boolean inMonitor = arguments[0].equals("monitor");
        int pinning = Integer.parseInt(arguments[1]);
        int tasks = Integer.parseInt(arguments[2]);
        Object[] monitors = new Object[pinning];
        Arrays.setAll(monitors, number -> new Object());
        Method park = Relieved.class.getDeclaredMethod("park", long.class);
        List<Thread> all = new ArrayList<>(Tasks.start(pinning, number -> {
            while (!computed) {
                if (inMonitor) {
                    synchronized (monitors[number]) {
                        Relieved.park(PIN_NANOS);
                    }
                } else {
                    park.invoke(null, PIN_NANOS);
                }
                PINS.increment();
                Relieved.park(BETWEEN_NANOS);
            }
        }));
        Told.says("pinning");
        PINS.reset();
        long beganNanos = System.nanoTime();
        List<Thread> computing = new ArrayList<>();
        Semaphore places = new Semaphore(AT_A_TIME);
        for (int i = 0; i < tasks; i++) {
            places.acquire();
            computing.addAll(Tasks.start(1, number -> {
                compute();
                places.release();
            }));
        }
        Tasks.join(computing);
        Told.fact("seconds", (System.nanoTime() - beganNanos) / 1e9);
        Told.fact("pins", PINS.sum());
        computed = true;
        Told.fact("atOnce", 1.0 * BESIDE.sum() / tasks);
        Tasks.join(all);
        Told.done();
    }

    private static void compute() {
        BESIDE.add(RUNNING.incrementAndGet());
        long sum = 1;
        for (int i = 0; i < STEPS; i++) {
            sum = sum * 31 + i;
        }
        SUMS.add(sum);
        RUNNING.decrementAndGet();
    }
}
