package io.vtagent.it.reference;

import java.time.Duration;
import java.util.Arrays;

/** Every thread sleeps in a monitor of its own. */
final class OwnMonitors implements Workload {
    private static final long MILLIS = 10;

    // in an array, or the compiler proves that they are thread-local, and elides them
    private final Object[] monitors;

    OwnMonitors(int threads, Duration limit) {
        monitors = new Object[threads];
        Arrays.setAll(monitors, number -> new Object());
    }

    @Override
    public void hold(int thread, int round) throws InterruptedException {
        synchronized (monitors[thread]) {
            Thread.sleep(MILLIS);
        }
    }
}
