package io.vtagent.bench.program;

import java.util.concurrent.TimeUnit;

/**
 * Pins at a given rate, each time on a virtual thread of its own, for some 80 us, and prints the
 * share of a CPU that this took. The work is the same whatever else the machine does.
 */
public final class PinRate {
    private static final long PARK_NANOS = 20_000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(3);

    private PinRate() {}

    /**
     * @param arguments how many a second, a multiple of 100
     */
    public static void main(String[] arguments) {
        int pinsPerTick = Integer.parseInt(arguments[0]) / 100;
        pin(pinsPerTick, WARM_UP_NANOS);
        CpuShare.printWhile(() -> pin(pinsPerTick, MEASURED_NANOS));
    }

    private static void pin(int pinsPerTick, long nanos) {
        SteadyPace.run(
                nanos,
                TICK_NANOS,
                () -> {
                    for (int i = 0; i < pinsPerTick; i++) {
                        Thread.startVirtualThread(() -> NativePin.park(PARK_NANOS));
                    }
                });
    }
}
