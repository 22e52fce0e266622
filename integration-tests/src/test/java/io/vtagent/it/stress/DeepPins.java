package io.vtagent.it.stress;

import io.vtagent.it.workload.WorkloadConsole;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code ROUNDS PINS}: virtual threads that pin at every depth near the end of their stack, where
 * the agent has less room than it needs; then others that pin the given number of times, at no
 * depth.
 */
public final class DeepPins {
    /** So many frames before the end it begins. */
    private static final int NEAR_THE_END = 150;

    private static final int WARM_UP_PINS = 20;

    private static final AtomicInteger OVERFLOWS = new AtomicInteger();
    private static final AtomicInteger UNCAUGHT = new AtomicInteger();

    private DeepPins() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        int pins = Integer.parseInt(arguments[1]);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> {
                    UNCAUGHT.incrementAndGet();
                    failure.printStackTrace();
                });
        Method park = DeepPins.class.getDeclaredMethod("park");
        // an overflow in the JDK's queue of timers would break that for good, agent or not
        Method untimed = DeepPins.class.getDeclaredMethod("parkUntimed");
        warmUp(park);
        Object[] monitors = new Object[rounds];
        for (int round = 0; round < rounds; round++) {
            Object monitor = new Object();
            monitors[round] = monitor;
            Thread thread = Thread.ofVirtual().start(() -> descend(monitor, untimed));
            while (!thread.join(Duration.ofMillis(1))) {
                LockSupport.unpark(thread);
            }
            Thread next = Thread.ofPlatform().daemon().start(() -> enter(monitor));
            next.join();
        }
        WorkloadConsole.fact("overflows", OVERFLOWS.get());
        WorkloadConsole.fact("uncaught", UNCAUGHT.get());
        WorkloadConsole.printAndWait("deep");
        for (int i = 0; i < pins; i++) {
            Thread.ofVirtual().start(() -> below(park)).join();
        }
        WorkloadConsole.printAndWait("pinned");
    }

    /** A class whose initialization fails by an overflow is broken for good, agent or not. */
    private static void warmUp(Method park) throws InterruptedException {
        for (int i = 0; i < WARM_UP_PINS; i++) {
            Thread.ofVirtual().start(() -> pin(new Object(), park)).join();
        }
        OVERFLOWS.incrementAndGet();
        OVERFLOWS.set(0);
    }

    /** Returns how many frames fit below this one before the stack ends. */
    @SuppressWarnings("InfiniteRecursion") // that is the point
    private static int descend(Object monitor, Method park) {
        int left;
        try {
            left = descend(monitor, park) + 1;
        } catch (StackOverflowError end) {
            left = 0;
        }
        if (left < NEAR_THE_END) {
            try {
                pin(monitor, park);
            } catch (StackOverflowError expected) {
                OVERFLOWS.incrementAndGet();
            }
        }
        return left;
    }

    private static void pin(Object monitor, Method park) {
        synchronized (monitor) {
            below(park);
        }
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            Thread.onSpinWait(); // no longer used by any thread
        }
    }

    private static void below(Method park) {
        try {
            park.invoke(null);
        } catch (ReflectiveOperationException overflow) {
            if (overflow.getCause() instanceof StackOverflowError error) {
                throw error;
            }
            throw new IllegalStateException(overflow);
        }
    }

    static void park() {
        LockSupport.parkNanos(100_000);
    }

    static void parkUntimed() {
        LockSupport.park();
    }
}
