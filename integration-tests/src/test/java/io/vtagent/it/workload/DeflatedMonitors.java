package io.vtagent.it.workload;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code MILLIS}: for that long, virtual threads enter monitors that were inflated, and that the
 * JVM deflates and frees in between. Others put new ones in their places, because an object that
 * was deflated is not inflated again by itself.
 */
public final class DeflatedMonitors {
    private static final int MONITORS = 256;
    private static final int THREADS = 3;

    private static final AtomicReferenceArray<Object> PLACES = new AtomicReferenceArray<>(MONITORS);

    private static final LongAdder ENTERED = new LongAdder();

    private DeflatedMonitors() {}

    public static void main(String[] arguments) throws InterruptedException {
        Tasks.run(THREADS, thread -> {}); // so that there are carriers
        for (int i = 0; i < MONITORS; i++) {
            PLACES.set(i, inflated());
        }
        WorkloadConsole.printAndWait("ready");
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        Thread.ofPlatform().daemon().start(DeflatedMonitors::inflateForEver);
        Tasks.run(THREADS, thread -> enterForLong(nanos));
        WorkloadConsole.fact("entered", ENTERED.sum());
        WorkloadConsole.done();
    }

    private static void enterForLong(long nanos) {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < nanos) {
            synchronized (PLACES.get(ThreadLocalRandom.current().nextInt(MONITORS))) {
                ENTERED.increment();
            }
        }
    }

    private static void inflateForEver() {
        while (true) {
            PLACES.set(ThreadLocalRandom.current().nextInt(MONITORS), inflated());
        }
    }

    /**
     * An object whose hash is asked for while it is locked has its monitor inflated, since then it
     * has no place in the mark word (synchronizer.cpp).
     */
    private static Object inflated() {
        Object monitor = new Object();
        synchronized (monitor) {
            if (System.identityHashCode(monitor) == 0) {
                throw new IllegalStateException("HotSpot has no such hash");
            }
        }
        return monitor;
    }
}
