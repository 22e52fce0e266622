package io.vtagent.it.reference;

import java.util.concurrent.ThreadLocalRandom;

/**
 * A native method that blocks for a while, and then nothing for about as long. With one thread, no
 * other pin shortens the sampling interval meanwhile.
 */
final class NativeSleepAtTimes implements Workload {
    private static final int MICROS = 20_000;
    private static final int MIN_MILLIS_BETWEEN = 10;
    private static final int MAX_MILLIS_BETWEEN = 30;

    @Override
    public void hold(int thread, int round) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextLong(MIN_MILLIS_BETWEEN, MAX_MILLIS_BETWEEN));
        if (LibC.usleep(MICROS) != 0) {
            throw new IllegalStateException("usleep failed");
        }
    }
}
