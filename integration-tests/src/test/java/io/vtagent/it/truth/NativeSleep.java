package io.vtagent.it.truth;

/** A native method that blocks for a while. */
final class NativeSleep implements Workload {
    private static final int MICROS = 10_000;

    @Override
    public void hold(int thread, int round) {
        if (LibC.usleep(MICROS) != 0) {
            throw new IllegalStateException("usleep failed");
        }
    }
}
