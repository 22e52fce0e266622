package io.vtagent.bench.program;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Many tasks that hold their carriers for a moment each. Runs without relief, with it, and with it
 * for pins of any duration ({@code Relief.WORTH_NANOS} at 0) show from which duration on relief
 * pays. It is run manually, with eight carriers.
 */
public final class ShortPins {
    private static final int TASKS = 30_000;
    private static final int ROUNDS_BEFORE = 4;
    private static final int ROUNDS = 6;
    private static final double NANOS_PER_MICRO = 1e3;

    private ShortPins() {}

    /**
     * @param arguments how many microseconds a task asks to be parked; the operating system adds
     *     some 60
     */
    public static void main(String[] arguments) {
        long parkNanos = Long.parseLong(arguments[0]) * (long) NANOS_PER_MICRO;
        for (int round = 0; round < ROUNDS_BEFORE; round++) {
            run(parkNanos, new LongAdder());
        }
        LongAdder heldNanos = new LongAdder();
        long usedNanos = ProcessTime.nanos();
        long beganNanos = System.nanoTime();
        for (int round = 0; round < ROUNDS; round++) {
            run(parkNanos, heldNanos);
        }
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        double tasks = (double) ROUNDS * TASKS;
        System.out.printf(
                "%,.0f tasks/s, pins of %.0f µs, %.0f µs of a processor a task%n",
                tasks / seconds,
                heldNanos.sum() / tasks / NANOS_PER_MICRO,
                (ProcessTime.nanos() - usedNanos) / tasks / NANOS_PER_MICRO);
    }

    private static void run(long parkNanos, LongAdder heldNanos) {
        Object[] monitors =
                // the compiler elides a monitor that it can prove to be thread-local
                new Object[TASKS];
        try (ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < TASKS; i++) {
                Object monitor = new Object();
                monitors[i] = monitor;
                tasks.execute(
                        () -> {
                            synchronized (monitor) {
                                long beganNanos = System.nanoTime();
                                LockSupport.parkNanos(parkNanos);
                                heldNanos.add(System.nanoTime() - beganNanos);
                            }
                        });
            }
        }
    }
}
