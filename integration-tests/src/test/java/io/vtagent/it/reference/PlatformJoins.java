package io.vtagent.it.reference;

/**
 * Every thread waits until a platform thread has ended, for far longer than it takes to start that.
 */
final class PlatformJoins implements Workload {
    private static final long MILLIS = 100;

    @Override
    public void hold(int thread, int round) throws InterruptedException {
        Thread.ofPlatform().start(PlatformJoins::sleep).join();
    }

    private static void sleep() {
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
