package io.vtagent.it.truth;

/**
 * The control: more threads that compute than there are processors. They are off the CPU most of
 * the time, and hold nothing: it is processors that they wait for.
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
