package io.vtagent.it.workload;

import java.util.concurrent.Semaphore;

/**
 * {@code TASKS MILLIS IN_FLIGHT}: a pool of two connections with {@code wait} and {@code notify},
 * which counts its waits. Last, one task sleeps in a monitor.
 */
public final class WaitingPool {
    private static final long CONTROL_MILLIS = 50;

    private int available = 2;
    private long waits;

    private WaitingPool() {}

    public static void main(String[] arguments) throws Exception {
        int tasks = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        Semaphore inFlight = new Semaphore(Integer.parseInt(arguments[2]));
        WaitingPool pool = new WaitingPool();
        try (PinRecording recording = new PinRecording()) {
            Tasks.run(
                    tasks,
                    number -> {
                        inFlight.acquire();
                        pool.checkout();
                        Thread.sleep(millis);
                        pool.checkin();
                        inFlight.release();
                    });
            Tasks.run(1, number -> pool.sleep());
            WorkloadConsole.fact(
                    "recordedInSleep",
                    recording.pinsIn(
                            method -> method.equals(WaitingPool.class.getName() + ".sleep")));
            WorkloadConsole.fact(
                    "recordedInWait",
                    recording.pinsIn(method -> method.startsWith("java.lang.Object.wait")));
        }
        WorkloadConsole.fact("waits", pool.waits());
        WorkloadConsole.done();
    }

    private synchronized void checkout() throws InterruptedException {
        while (available == 0) {
            wait();
            waits++;
        }
        available--;
    }

    private synchronized void checkin() {
        available++;
        notify();
    }

    private synchronized void sleep() throws InterruptedException {
        Thread.sleep(CONTROL_MILLIS);
    }

    private synchronized long waits() {
        return waits;
    }
}
