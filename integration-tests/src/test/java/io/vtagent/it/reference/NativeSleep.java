package io.vtagent.it.reference;

/** A native method that blocks for a while. */
final class NativeSleep implements Workload {
    private static final int MICROS = 8_000;

    /**
     * The time by which a thread sleeps longer than the one before, so that they do not go on as
     * one.
     */
    private static final int MORE_MICROS = 250;

    @Override
    public void hold(int thread, int round) {
        if (LibC.usleep(MICROS + thread * MORE_MICROS) != 0) {
            throw new IllegalStateException("usleep failed");
        }
    }
}
