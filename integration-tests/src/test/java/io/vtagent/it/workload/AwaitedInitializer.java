package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** {@code THREADS MILLIS}: a platform thread initializes a class, for so long, and that many virtual threads wait for it. */
public final class AwaitedInitializer {
    private static final AtomicInteger ARRIVED = new AtomicInteger();
    private static final LongAdder WAITED_NANOS = new LongAdder();
    /** A method reference, whose frame stack traces do not show. */
    private static final Runnable INITIALIZE = Slow::initialize;

    private static int threads;
    private static long millis;
    private static volatile boolean begun;

    private AwaitedInitializer() {}

    private static final class Slow {
        static {
            begun = true;
            while (ARRIVED.get() < threads) {
                Thread.onSpinWait();
            }
            try {
                Thread.sleep(millis);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        threads = Integer.parseInt(arguments[0]);
        millis = Long.parseLong(arguments[1]);
        Told.warm();
        Thread first = Thread.ofPlatform().start(Slow::initialize);
        while (!begun) {
            Thread.onSpinWait();
        }
        List<Thread> waiters = Tasks.start(threads, number -> await());
        Tasks.join(waiters);
        first.join();
        Told.fact("seconds", WAITED_NANOS.sum() / 1e9);
        Told.fact("class", Slow.class.getName());
        Told.done();
    }

    private static void await() {
        ARRIVED.incrementAndGet();
        long beganNanos = System.nanoTime();
        INITIALIZE.run();
        WAITED_NANOS.add(System.nanoTime() - beganNanos);
    }
}
