package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code monitor|native PINNING TASKS}: while that many virtual threads pin for some milliseconds
 * over and over, others compute, so many that some of them always wait for a carrier. It prints how
 * many of these ran at the same time at their beginnings: the quartiles and the maximum. Where CPUs
 * are scarce, carriers that are not pinned any more may all run for some milliseconds.
 */
public final class PinsBesideComputing {
    private static final long PIN_NANOS = 5_000_000;
    private static final long BETWEEN_NANOS = 1_000_000;

    /** The steps of a millisecond or two of CPU time. */
    private static final int STEPS = 2_000_000;

    private static final int AT_A_TIME = 100;
    private static final AtomicInteger RUNNING = new AtomicInteger();
    private static final LongAdder PINS = new LongAdder();
    private static final LongAdder SUMS = new LongAdder();
    private static volatile boolean computed;

    private PinsBesideComputing() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        boolean inMonitor = arguments[0].equals("monitor");
        int pinning = Integer.parseInt(arguments[1]);
        int tasks = Integer.parseInt(arguments[2]);
        Object[] monitors = new Object[pinning];
        Arrays.setAll(monitors, number -> new Object());
        Method park = Relieved.class.getDeclaredMethod("park", long.class);
        List<Thread> all =
                new ArrayList<>(
                        Tasks.start(
                                pinning,
                                number -> {
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
        WorkloadConsole.printAndWait("pinning");
        PINS.reset();
        long beganNanos = System.nanoTime();
        int[] atOnce = new int[tasks];
        List<Thread> computing = new ArrayList<>();
        Semaphore places = new Semaphore(AT_A_TIME);
        for (int i = 0; i < tasks; i++) {
            places.acquire();
            int task = i;
            computing.addAll(
                    Tasks.start(
                            1,
                            number -> {
                                atOnce[task] = compute();
                                places.release();
                            }));
        }
        Tasks.join(computing);
        WorkloadConsole.fact("seconds", (System.nanoTime() - beganNanos) / 1e9);
        WorkloadConsole.fact("pins", PINS.sum());
        computed = true;
        Arrays.sort(atOnce);
        WorkloadConsole.fact("atOnce", atOnce[tasks / 2]);
        WorkloadConsole.fact(
                "quartiles and most",
                atOnce[tasks / 4] + ", " + atOnce[tasks * 3 / 4] + ", " + atOnce[tasks - 1]);
        Tasks.join(all);
        WorkloadConsole.done();
    }

    private static int compute() {
        int running = RUNNING.incrementAndGet();
        long sum = 1;
        for (int i = 0; i < STEPS; i++) {
            sum = sum * 31 + i;
        }
        SUMS.add(sum);
        RUNNING.decrementAndGet();
        return running;
    }
}
