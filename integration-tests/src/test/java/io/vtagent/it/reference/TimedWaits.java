package io.vtagent.it.reference;

import java.time.Duration;
import java.util.Arrays;

/** Every thread waits in a monitor of its own until the time is over, without a notification. */
final class TimedWaits implements Workload {
    private static final long MILLIS = 10;

    private final Object[] monitors;

    TimedWaits(int threads, Duration limit) {
        monitors = new Object[threads];
        Arrays.setAll(monitors, number -> new Object());
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    public void hold(int thread, int round) throws InterruptedException {
        synchronized (monitors[thread]) {
            monitors[thread].wait(MILLIS);
        }
    }
}
