package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code MODE THREADS MICROS REST}: virtual threads that compute for {@code MICROS}, then sleep for
 * {@code REST} microseconds, or yield if that is 0, until the test ends it. With {@code spin}, they
 * spin until a pool has something to borrow, which it never has. The facts are where they computed,
 * and for how long: in all, and in spells of 10 ms and more.
 */
public final class BusyThreads {
    private static final long LONG_NANOS = 10_000_000;
    private static final AtomicInteger FREE = new AtomicInteger();
    private static final AtomicLong NANOS = new AtomicLong();
    private static final AtomicLong LONG = new AtomicLong();
    private static volatile boolean ended;

    private BusyThreads() {}

    public static void main(String[] arguments) throws InterruptedException {
        boolean spins = arguments[0].equals("spin");
        long nanos = Long.parseLong(arguments[2]) * 1_000;
        long pauseNanos = Long.parseLong(arguments[3]) * 1_000;
        WorkloadConsole.warmUp();
        List<Thread> threads =
                Tasks.start(
                        Integer.parseInt(arguments[1]),
                        number -> {
                            if (spins) {
                                borrow();
                            }
                            while (!spins && !ended) {
                                spell(nanos);
                                pause(pauseNanos);
                            }
                        });
        WorkloadConsole.printAndWait("computing");
        ended = true;
        Tasks.join(threads);
        WorkloadConsole.fact("caller", SourceLine.of(spins ? "borrow" : "compute"));
        WorkloadConsole.fact("seconds", NANOS.get() / 1e9);
        WorkloadConsole.fact("longSeconds", LONG.get() / 1e9);
        WorkloadConsole.done();
    }

    private static void spell(long nanos) {
        long beganNanos = System.nanoTime();
        compute(beganNanos + nanos);
        long tookNanos = System.nanoTime() - beganNanos;
        NANOS.addAndGet(tookNanos);
        if (tookNanos >= LONG_NANOS) {
            LONG.addAndGet(tookNanos);
        }
    }

    private static void compute(long endNanos) {
        for (long end = SourceLine.mark("compute", endNanos); System.nanoTime() < end; ) {}
    }

    @SuppressWarnings("ThreadPriorityCheck") // what is tested
    private static void pause(long nanos) {
        if (nanos == 0) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(nanos);
        }
    }

    private static void borrow() {
        for (long one = SourceLine.mark("borrow", 1); FREE.get() < one && !ended; ) {}
    }
}
