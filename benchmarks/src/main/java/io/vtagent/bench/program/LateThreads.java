package io.vtagent.bench.program;

import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Virtual threads that are late, as a reference for {@code vthread.scheduler.delay}. Four times as
 * many virtual threads as carriers pin for 100 ms at a time, in a method which native code has
 * called (needs {@code -Djdk.reflect.useNativeAccessorOnly=true}). Meanwhile other threads become
 * ready in five ways, and the program measures how late they run. For each way it prints how many
 * ran within 10 s, their mean delay, and how long one has been waiting at the end.
 */
public final class LateThreads {
    private static final long MEASURED_MILLIS = 10_000;
    private static final long PERIOD_MILLIS = 50;
    private static final long PIN_MILLIS = 100;
    private static final long PAUSE_MILLIS = 20;
    private static final int THREADS_PER_CARRIER = 4;
    private static final double NANOS_PER_MILLI = 1e6;

    private LateThreads() {}

    /** Threads that became ready in one way, one at a time. */
    private static final class Way {
        private final String name;
        private volatile long readyAtNanos;
        private volatile long count;
        private volatile long nanos;

        Way(String name) {
            this.name = name;
        }

        void ready(long atNanos) {
            readyAtNanos = atNanos;
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // one at a time
        void runs() {
            nanos += System.nanoTime() - readyAtNanos;
            count++;
            readyAtNanos = 0;
        }

        boolean isWaiting() {
            return readyAtNanos != 0;
        }

        void print() {
            long ready = readyAtNanos;
            System.out.printf(
                    "%-40s %4d ran, %8.1f ms on average; %8.1f ms and no end%n",
                    name,
                    count,
                    count == 0 ? 0 : nanos / NANOS_PER_MILLI / count,
                    ready == 0 ? 0 : (System.nanoTime() - ready) / NANOS_PER_MILLI);
        }
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Method sleep = LateThreads.class.getDeclaredMethod("sleep", long.class);
        int carriers =
                Integer.getInteger(
                        "jdk.virtualThreadScheduler.parallelism",
                        Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < carriers * THREADS_PER_CARRIER; i++) {
            Thread.startVirtualThread(() -> pin(sleep));
        }
        Way started = new Way("started by a platform thread, as the probe");
        Way startedByVirtual = new Way("started by a virtual thread");
        Way woken = new Way("woken by a platform thread");
        Way wokenByVirtual = new Way("woken by a virtual thread");
        Way slept = new Way("woken by the JDK at the end of a sleep");
        Thread.ofPlatform().daemon().start(() -> repeat(now -> start(started, now)));
        Thread.startVirtualThread(() -> repeat(now -> start(startedByVirtual, now)));
        Thread sleeper = parked(woken);
        Thread.ofPlatform().daemon().start(() -> repeat(now -> wake(woken, sleeper, now)));
        Thread otherSleeper = parked(wokenByVirtual);
        Thread.startVirtualThread(() -> repeat(now -> wake(wokenByVirtual, otherSleeper, now)));
        Thread.startVirtualThread(
                () ->
                        repeat(
                                now -> {
                                    slept.ready(System.nanoTime() + PERIOD_MILLIS * 1_000_000);
                                    sleep(PERIOD_MILLIS);
                                    slept.runs();
                                }));
        sleep(MEASURED_MILLIS);
        for (Way way : new Way[] {started, startedByVirtual, woken, wokenByVirtual, slept}) {
            way.print();
        }
    }

    private static void start(Way way, long nowNanos) {
        if (!way.isWaiting()) {
            way.ready(nowNanos);
            Thread.startVirtualThread(way::runs);
        }
    }

    private static Thread parked(Way way) {
        return Thread.startVirtualThread(
                () -> {
                    while (true) {
                        LockSupport.park();
                        if (way.isWaiting()) {
                            way.runs();
                        }
                    }
                });
    }

    private static void wake(Way way, Thread thread, long nowNanos) {
        if (!way.isWaiting()) {
            way.ready(nowNanos);
            LockSupport.unpark(thread);
        }
    }

    private static void repeat(LongConsumer step) {
        while (true) {
            sleep(PERIOD_MILLIS);
            step.accept(System.nanoTime());
        }
    }

    private static void pin(Method sleep) {
        try {
            while (true) {
                sleep.invoke(null, PIN_MILLIS);
                sleep(PAUSE_MILLIS);
            }
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }
}
