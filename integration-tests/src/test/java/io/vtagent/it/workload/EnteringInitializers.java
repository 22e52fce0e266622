package io.vtagent.it.workload;

import java.util.concurrent.locks.LockSupport;

/**
 * {@code MILLIS}: two virtual threads, each in a class initializer of its own, call a method of a
 * third class, which names both, to enter a monitor that a platform thread has for that long.
 * Neither waits for a class.
 */
public final class EnteringInitializers {
    private static final Object MONITOR = new Object();
    private static volatile boolean taken;
    private static long waitedNanos;

    private EnteringInitializers() {}

    private static final class One {
        static {
            enter();
        }

        static void initialize() {}
    }

    private static final class Other {
        static {
            enter();
        }

        static void initialize() {}
    }

    private static void enter() {
        long fromNanos = System.nanoTime();
        synchronized (MONITOR) {
            waitedNanos += System.nanoTime() - fromNanos;
        }
    }

    private static void hold(long untilNanos) {
        synchronized (MONITOR) {
            taken = true;
            while (System.nanoTime() < untilNanos) {
                LockSupport.parkNanos(untilNanos - System.nanoTime());
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        WorkloadConsole.warmUp();
        long untilNanos = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000;
        Thread.ofPlatform().start(() -> hold(untilNanos));
        while (!taken) {
            Thread.onSpinWait();
        }
        Thread one = Thread.ofVirtual().start(One::initialize);
        Thread other = Thread.ofVirtual().start(Other::initialize);
        one.join();
        other.join();
        WorkloadConsole.fact("seconds", waitedNanos / 1e9);
        WorkloadConsole.done();
    }
}
