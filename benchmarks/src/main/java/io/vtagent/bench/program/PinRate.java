package io.vtagent.bench.program;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Pins so many times a second, each time a virtual thread of its own, for some 80 us, and says what part of a processor that took.
 * The work is the same whatever the machine does besides.
 */
public final class PinRate {
    private static final long PARK_NANOS = 20_000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WARM_UP_SECONDS = 2;
    private static final long SECONDS = 3;
    private static final double PERCENT = 100;

    private PinRate() {}

    /** @param arguments how many a second, a multiple of 100 */
    public static void main(String[] arguments) {
        int pinsPerTick = Integer.parseInt(arguments[0]) / 100;
        pin(pinsPerTick, WARM_UP_SECONDS);
        long usedNanos = ProcessTime.nanos();
        long beganNanos = System.nanoTime();
        pin(pinsPerTick, SECONDS);
        double used = ProcessTime.nanos() - usedNanos;
        System.out.println("processorPercent=" + PERCENT * used / (System.nanoTime() - beganNanos));
    }

    private static void pin(int pinsPerTick, long seconds) {
        long beganNanos = System.nanoTime();
        long ticks = TimeUnit.SECONDS.toNanos(seconds) / TICK_NANOS;
        for (long tick = 1; tick <= ticks; tick++) {
            for (int i = 0; i < pinsPerTick; i++) {
                Thread.startVirtualThread(() -> NativePin.park(PARK_NANOS));
            }
            for (long left = 1; left > 0; ) {
                left = beganNanos + tick * TICK_NANOS - System.nanoTime();
                LockSupport.parkNanos(left);
            }
        }
    }
}
