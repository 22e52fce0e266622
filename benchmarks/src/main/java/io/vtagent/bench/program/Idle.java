package io.vtagent.bench.program;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Does nothing, {@code none} at all, after one virtual thread at the start ({@code once}), or but for a short one every 20 ms
 * ({@code ticks}), and says what part of a processor that took once the JVM has settled.
 */
public final class Idle {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double PERCENT = 100;

    private Idle() {}

    /** @param arguments how, for how many seconds first, and for how many that count */
    public static void main(String[] arguments) throws InterruptedException {
        if (!arguments[0].equals("none")) {
            Thread.startVirtualThread(() -> {}).join();
        }
        boolean ticks = arguments[0].equals("ticks");
        pass(ticks, Long.parseLong(arguments[1]));
        long usedNanos = ProcessTime.nanos();
        long beganNanos = System.nanoTime();
        pass(ticks, Long.parseLong(arguments[2]));
        double used = ProcessTime.nanos() - usedNanos;
        System.out.println("processorPercent=" + PERCENT * used / (System.nanoTime() - beganNanos));
    }

    private static void pass(boolean ticks, long seconds) throws InterruptedException {
        if (!ticks) {
            Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
            return;
        }
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < endNanos) {
            Thread.startVirtualThread(() -> {});
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }
}
