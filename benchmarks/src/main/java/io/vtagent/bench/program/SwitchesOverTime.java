package io.vtagent.bench.program;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code yield|park SECONDS}: virtual threads that yield, or park for a millisecond, from the JVM's
 * first moment on: every half second, how often they did and how long one of them was held up.
 * Shows what is loaded late on JDK 21, where a class that is loaded beside a transformer stops all
 * mounts and unmounts ({@link SwitchesWhileLoading}).
 *
 * <p>{@code java [-javaagent:...] -cp benchmarks.jar io.vtagent.bench.program.SwitchesOverTime
 * yield 15}
 */
public final class SwitchesOverTime {
    private static final int THREADS = 16;
    private static final long SLICE_MILLIS = 500;
    private static final long PARK_NANOS = 1_000_000;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final boolean yields;
    private final LongAdder switches = new LongAdder();
    private final AtomicLong longestNanos = new AtomicLong();

    private SwitchesOverTime(boolean yields) {
        this.yields = yields;
    }

    public static void main(String[] arguments) throws InterruptedException {
        new SwitchesOverTime(arguments[0].equals("yield")).run(Long.parseLong(arguments[1]));
    }

    private void run(long seconds) throws InterruptedException {
        for (int i = 0; i < THREADS; i++) {
            Thread.startVirtualThread(this::comeAndGo);
        }
        long beganNanos = System.nanoTime();
        long before = 0;
        for (long slice = seconds * 1_000 / SLICE_MILLIS; slice > 0; slice--) {
            Thread.sleep(SLICE_MILLIS);
            long now = switches.sum();
            System.out.printf(
                    Locale.ROOT,
                    "%.1f s: %d times, the longest took %.1f ms%n",
                    (System.nanoTime() - beganNanos) / NANOS_PER_SECOND,
                    now - before,
                    longestNanos.getAndSet(0) / NANOS_PER_MILLI);
            before = now;
        }
        System.exit(0);
    }

    @SuppressWarnings("ThreadPriorityCheck") // it is what is measured
    private void comeAndGo() {
        long lastNanos = System.nanoTime();
        while (true) {
            if (yields) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(PARK_NANOS);
            }
            long nowNanos = System.nanoTime();
            long nanos = nowNanos - lastNanos;
            lastNanos = nowNanos;
            if (nanos > longestNanos.get()) {
                longestNanos.accumulateAndGet(nanos, Math::max);
            }
            switches.increment();
        }
    }
}
