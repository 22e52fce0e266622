package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/**
 * {@code BURSTS CARRIERS}: five times a second twice as many tasks as there are carriers, each of
 * which sleeps for 20 ms in a method which native code has called, given {@code
 * -Djdk.reflect.useNativeAccessorOnly=true}. So for a tenth of the time all carriers are held while
 * work is queued: from when the last carrier has a task until the last task has a carrier. It
 * prints for how long that was.
 */
public final class Bursts {
    private static final int MILLIS = 20;
    private static final long EVERY_NANOS = 200_000_000;

    private Bursts() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        int bursts = Integer.parseInt(arguments[0]);
        int carriers = Integer.parseInt(arguments[1]);
        Method sleep = Bursts.class.getDeclaredMethod("sleep");
        burst(sleep, carriers);
        WorkloadConsole.warmUp();
        long starvedNanos = 0;
        long beganNanos = System.nanoTime();
        for (int i = 1; i <= bursts; i++) {
            starvedNanos += burst(sleep, carriers);
            long leftNanos = beganNanos + i * EVERY_NANOS - System.nanoTime();
            Thread.sleep(Math.max(leftNanos, 0) / 1_000_000);
        }
        WorkloadConsole.fact("starved", starvedNanos / 1e9);
        WorkloadConsole.done();
    }

    private static long burst(Method sleep, int carriers) throws InterruptedException {
        long[] begun = new long[2 * carriers];
        List<Thread> tasks =
                Tasks.start(
                        2 * carriers,
                        number -> {
                            begun[number] = System.nanoTime();
                            sleep.invoke(null);
                        });
        Tasks.join(tasks);
        Arrays.sort(begun);
        return begun[2 * carriers - 1] - begun[carriers - 1];
    }

    static void sleep() throws InterruptedException {
        Thread.sleep(MILLIS);
    }
}
