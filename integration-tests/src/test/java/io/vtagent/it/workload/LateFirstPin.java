package io.vtagent.it.workload;

/**
 * Starts as many services do: for {@code COLLECTIONS} garbage collections there is no virtual
 * thread. Then the first one sleeps in the C library for {@code MILLIS}.
 */
public final class LateFirstPin {
    private static final int MICROS_PER_MILLI = 1_000;
    private static final int PAUSE_MILLIS = 50;

    private LateFirstPin() {}

    public static void main(String[] arguments) throws InterruptedException {
        int collections = Integer.parseInt(arguments[0]);
        int millis = Integer.parseInt(arguments[1]);
        int unused = LibC.usleep(1); // loads JNA
        for (int i = 0; i < collections; i++) {
            Thread.sleep(PAUSE_MILLIS);
            System.gc();
        }
        Thread.startVirtualThread(() -> LibC.usleep(millis * MICROS_PER_MILLI)).join();
        WorkloadConsole.done();
    }
}
