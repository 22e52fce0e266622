package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code owned|free MILLIS BUSY}: for that long, two virtual threads enter monitors that they have
 * already, or that are free, while {@code BUSY} others compute, so that every thread waits for a
 * CPU in the middle of whatever it does. The monitors are inflated: a thread is in {@code
 * Object.wait} with each.
 */
public final class EntriesWithoutWait {
    private static final int THREADS = 2;
    private static final int DEPTH = 100;

    private EntriesWithoutWait() {}

    public static void main(String[] arguments) throws InterruptedException {
        Tasks.run(THREADS, thread -> {}); // so that there are carriers
        WorkloadConsole.printAndWait("ready");
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            Thread.ofPlatform().daemon().start(EntriesWithoutWait::useAProcessor);
        }
        List<Object> monitors = List.of(new Object(), new Object());
        for (Object monitor : monitors) {
            Thread waiting = Thread.ofPlatform().daemon().start(() -> waitFor(monitor));
            while (waiting.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        boolean owned = arguments[0].equals("owned");
        Tasks.run(
                THREADS,
                thread -> {
                    Object monitor = monitors.get(thread);
                    if (owned) {
                        enterOwnForLong(monitor, nanos);
                    } else {
                        enterForLong(monitor, 0, nanos);
                    }
                });
        WorkloadConsole.done();
    }

    private static void enterOwnForLong(Object monitor, long nanos) {
        synchronized (monitor) {
            enterForLong(monitor, DEPTH, nanos);
        }
    }

    private static void enterForLong(Object monitor, int more, long nanos) {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < nanos) {
            enter(monitor, more);
        }
    }

    private static void enter(Object monitor, int more) {
        synchronized (monitor) {
            if (more > 0) {
                enter(monitor, more - 1);
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // for nothing
    private static void waitFor(Object monitor) {
        synchronized (monitor) {
            try {
                monitor.wait();
            } catch (InterruptedException nobodyDoes) {
                throw new IllegalStateException(nobodyDoes);
            }
        }
    }

    private static void useAProcessor() {
        while (true) {
            Thread.onSpinWait();
        }
    }
}
