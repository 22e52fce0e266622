package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code ROUNDS MILLIS}: on virtual threads that have a carrier each, what holds one only where
 * monitors pin, and what holds one everywhere, also below a monitor. Needs {@code
 * -Djdk.reflect.useNativeAccessorOnly=true}.
 */
public final class MixedHolds {
    private static final int MICROS_PER_MILLI = 1_000;
    private static final int SLEEPERS = 3;
    private static final int OTHERS = 4;

    /** For how long threads held their carrier that monitors alone hold ... */
    private static final LongAdder GOES_NANOS = new LongAdder();

    /** ... and the others. */
    private static final LongAdder STAYS_NANOS = new LongAdder();

    private static long millis;
    private static int rounds;

    private final Object monitor = new Object();

    private MixedHolds() {}

    private static final class Sleeping {
        static {
            try {
                Thread.sleep(rounds * millis);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        static void initialize() {}
    }

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        rounds = Integer.parseInt(arguments[0]);
        millis = Long.parseLong(arguments[1]);
        Method sleep = MixedHolds.class.getDeclaredMethod("sleep");
        Method inMonitorAndBelow =
                MixedHolds.class.getDeclaredMethod("sleepInMonitorAndBelowNativeFrame");
        // in an array, or the compiler proves that their monitors are thread-local, and elides them
        MixedHolds[] own = new MixedHolds[SLEEPERS + OTHERS];
        Arrays.setAll(own, number -> new MixedHolds());
        LibC.usleep(1); // loads what it needs, which takes some blocking
        WorkloadConsole.warmUp();
        Tasks.run(
                own.length,
                number -> {
                    long beganNanos = System.nanoTime();
                    for (int i = 0; i < rounds; i++) {
                        switch (number) {
                            case 0 -> Sleeping.initialize(); // once, that is
                            case 1 -> sleep.invoke(null);
                            case 2 -> inMonitorAndBelow.invoke(own[number]);
                            case 3 -> LibC.usleep((int) millis * MICROS_PER_MILLI);
                            default -> own[number].sleepInMonitor();
                        }
                    }
                    (number < OTHERS ? STAYS_NANOS : GOES_NANOS)
                            .add(System.nanoTime() - beganNanos);
                });
        WorkloadConsole.fact("goes", GOES_NANOS.sum() / 1e9);
        WorkloadConsole.fact("stays", STAYS_NANOS.sum() / 1e9);
        WorkloadConsole.done();
    }

    private void sleepInMonitor() throws InterruptedException {
        synchronized (monitor) {
            Thread.sleep(millis);
        }
    }

    void sleepInMonitorAndBelowNativeFrame() throws InterruptedException {
        synchronized (monitor) {
            Thread.sleep(millis);
        }
    }

    static void sleep() throws InterruptedException {
        Thread.sleep(millis);
    }
}
