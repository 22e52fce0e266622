package io.vtagent.it.reference;

/**
 * The control: more threads that compute than there are CPUs. They are off-CPU most of the time,
 * and hold nothing: they wait for CPUs.
 */
final class Computing implements Workload {
    private static final long NANOS = 5_000_000;

    @Override
    public void hold(int thread, int round) {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < NANOS) {
            Thread.onSpinWait();
        }
    }
}
