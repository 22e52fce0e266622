package io.vtagent.bench.program;

import java.util.concurrent.TimeUnit;

/**
 * Does nothing at all ({@code none}), or after one virtual thread at the start ({@code once}), or
 * except a short virtual thread every 20 ms ({@code ticks}). It prints the share of a CPU that this
 * took once the JVM had settled.
 */
public final class Idle {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Idle() {}

    /**
     * @param arguments how, for how many seconds first, and for how many that count
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (!arguments[0].equals("none")) {
            Thread.startVirtualThread(() -> {}).join();
        }
        boolean ticks = arguments[0].equals("ticks");
        pass(ticks, Long.parseLong(arguments[1]));
        CpuShare.printWhile(() -> pass(ticks, Long.parseLong(arguments[2])));
    }

    private static void pass(boolean ticks, long seconds) {
        long nanos = TimeUnit.SECONDS.toNanos(seconds);
        SteadyPace.run(
                nanos,
                ticks ? PERIOD_NANOS : nanos,
                () -> {
                    if (ticks) {
                        Thread.startVirtualThread(() -> {});
                    }
                });
    }
}
