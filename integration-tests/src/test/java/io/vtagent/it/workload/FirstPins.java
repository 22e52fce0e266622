package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code THREADS MILLIS BUSY WAY}: as the first thing that it does, starts that many virtual
 * threads that each pin once for that long, with a stack that was not there before, while {@code
 * BUSY} others compute. It prints for how long the threads have pinned by their own clocks. {@code
 * WAY} is one of
 *
 * <ul>
 *   <li>{@code monitor}: sleeps in a monitor of its own,
 *   <li>{@code native}: sleeps in a method which native code has called, given {@code
 *       -Djdk.reflect.useNativeAccessorOnly=true},
 *   <li>{@code wait}: is in {@code Object.wait},
 *   <li>{@code enter}: waits for a monitor that another thread has,
 *   <li>{@code jdk}: waits for one that code of the JDK enters,
 *   <li>{@code sleep}: sleeps in the C library.
 * </ul>
 */
public final class FirstPins {
    private static final int MICROS_PER_MILLI = 1_000;

    /** Threads may wait for a monitor at once. */
    private static final Semaphore FEW = new Semaphore(4);

    private static final LongAdder PINNED_NANOS = new LongAdder();

    private final long millis;
    private final String way;
    private final Method sleep;

    private FirstPins(long millis, String way) throws ReflectiveOperationException {
        this.millis = millis;
        this.way = way;
        sleep = FirstPins.class.getDeclaredMethod("sleep");
    }

    public static void main(String[] arguments)
            throws InterruptedException, ReflectiveOperationException {
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            Thread.ofPlatform().daemon().start(FirstPins::useAProcessor);
        }
        FirstPins pins = new FirstPins(Long.parseLong(arguments[1]), arguments[3]);
        Tasks.run(Integer.parseInt(arguments[0]), pins::descend);
        WorkloadConsole.fact("seconds", PINNED_NANOS.sum() / 1e9);
        WorkloadConsole.done();
    }

    private static void useAProcessor() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    private void descend(int more) throws InterruptedException, ReflectiveOperationException {
        if (more > 0) {
            descend(more - 1);
            return;
        }
        switch (way) {
            case "monitor" -> sleepInMonitor();
            case "native" -> sleep.invoke(this);
            case "wait" -> waitForNothing();
            case "enter" -> enter();
            case "jdk" -> ask(Collections.synchronizedMap(new HashMap<>()));
            case "sleep" -> sleepInLibrary();
            default -> throw new IllegalArgumentException(way);
        }
    }

    private void sleepInMonitor() throws InterruptedException {
        synchronized (new Object()) {
            sleep();
        }
    }

    private void sleep() throws InterruptedException {
        long beganNanos = System.nanoTime();
        Thread.sleep(millis);
        PINNED_NANOS.add(System.nanoTime() - beganNanos);
    }

    private void sleepInLibrary() {
        // a thread that waits until the library is bound is pinned before JDK 26, and unmounts
        // since 26
        LibC.usleep(0);
        long beganNanos = System.nanoTime();
        LibC.usleep((int) (MICROS_PER_MILLI * millis));
        PINNED_NANOS.add(System.nanoTime() - beganNanos);
    }

    @SuppressWarnings("WaitNotInLoop") // nothing is waited for
    private void waitForNothing() throws InterruptedException {
        Object monitor = new Object();
        synchronized (monitor) {
            long beganNanos = System.nanoTime();
            monitor.wait(millis);
            PINNED_NANOS.add(System.nanoTime() - beganNanos);
        }
    }

    private void enter() throws InterruptedException {
        Object monitor = new Object();
        FEW.acquire();
        holdMeanwhile(monitor);
        long beganNanos = System.nanoTime();
        synchronized (monitor) {
            PINNED_NANOS.add(System.nanoTime() - beganNanos);
        }
        FEW.release();
    }

    private void ask(Map<String, String> synchronizedMap) throws InterruptedException {
        FEW.acquire();
        holdMeanwhile(synchronizedMap);
        long beganNanos = System.nanoTime();
        synchronizedMap.clear();
        PINNED_NANOS.add(System.nanoTime() - beganNanos);
        FEW.release();
    }

    /**
     * Returns when another thread has {@code monitor}, which keeps it until the current one has
     * waited for it for the given time.
     */
    private void holdMeanwhile(Object monitor) throws InterruptedException {
        Thread waiter = Thread.currentThread();
        CountDownLatch held = new CountDownLatch(1);
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            synchronized (monitor) {
                                held.countDown();
                                try {
                                    while (waiter.getState() != Thread.State.BLOCKED) {
                                        Thread.sleep(1);
                                    }
                                    Thread.sleep(millis);
                                } catch (InterruptedException nobodyDoes) {
                                    throw new IllegalStateException(nobodyDoes);
                                }
                            }
                        });
        held.await();
    }
}
