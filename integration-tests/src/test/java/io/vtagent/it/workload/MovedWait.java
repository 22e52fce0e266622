package io.vtagent.it.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code MILLIS}: a virtual thread waits in {@code Object.wait}, goes on on another carrier, comes
 * back to the first one and sleeps there in the C library, and prints for how long. It runs only
 * where monitors do not pin.
 */
public final class MovedWait {
    private static final int MICROS_PER_MILLI = 1_000;
    private static final long SLEEP_NANOS = 1_000_000;
    private static final int RESTLESS = 2;

    private MovedWait() {}

    public static void main(String[] arguments) throws InterruptedException {
        int micros = Integer.parseInt(arguments[0]) * MICROS_PER_MILLI;
        LibC.usleep(0);
        WorkloadConsole.warmUp();
        AtomicBoolean back = new AtomicBoolean();
        AtomicLong sleptNanos = new AtomicLong();
        List<Thread> others = restless(back);
        Thread mover =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    String first = waitUntilMoved();
                                    while (!carrier().equals(first)) {
                                        LockSupport.parkNanos(
                                                // a thread that wakes up is taken by any carrier
                                                SLEEP_NANOS);
                                    }
                                    back.set(true);
                                    long beganNanos = System.nanoTime();
                                    LibC.usleep(micros);
                                    sleptNanos.set(System.nanoTime() - beganNanos);
                                });
        mover.join();
        Tasks.join(others);
        WorkloadConsole.fact("seconds", sleptNanos.get() / 1e9);
        WorkloadConsole.done();
    }

    /** Threads that keep the carriers changing hands until {@code ended}. */
    private static List<Thread> restless(AtomicBoolean ended) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < RESTLESS; i++) {
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        while (!ended.get()) {
                                            long beganNanos = System.nanoTime();
                                            while (System.nanoTime() - beganNanos < SLEEP_NANOS) {
                                                Thread.onSpinWait();
                                            }
                                            LockSupport.parkNanos(SLEEP_NANOS);
                                        }
                                    }));
        }
        return threads;
    }

    /** Gives the carrier on which the last wait began; it went on on another one. */
    private static String waitUntilMoved() {
        Object monitor = new Object();
        while (true) {
            String before = carrier();
            synchronized (monitor) {
                try {
                    monitor.wait(1);
                } catch (InterruptedException nobodyDoes) {
                    throw new IllegalStateException(nobodyDoes);
                }
            }
            if (!carrier().equals(before)) {
                return before;
            }
        }
    }

    private static String carrier() {
        String thread = Thread.currentThread().toString();
        return thread.substring(thread.indexOf('@'));
    }
}
