package io.vtagent.bench.program;

import java.util.concurrent.TimeUnit;

/**
 * Pins so many times a second, each time a virtual thread of its own, for some 80 us, and says what
 * part of a processor that took. The work is the same whatever the machine does besides.
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
        ProcessorShare.printWhile(() -> pin(pinsPerTick, MEASURED_NANOS));
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
