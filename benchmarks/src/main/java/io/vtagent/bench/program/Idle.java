package io.vtagent.bench.program;

import java.util.concurrent.TimeUnit;

/**
 * Does nothing, {@code none} at all, after one virtual thread at the start ({@code once}), or but
 * for a short one every 20 ms ({@code ticks}), and says what part of a processor that took once the
 * JVM has settled.
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
        ProcessorShare.printWhile(() -> pass(ticks, Long.parseLong(arguments[2])));
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
