package io.vtagent.it.workload;

/**
 * Ends when one virtual thread has and it was told to, but for a shutdown hook that says {@code
 * ending} and waits.
 */
public final class SlowToEnd {
    private SlowToEnd() {}

    public static void main(String[] arguments) throws InterruptedException {
        Thread.startVirtualThread(() -> {}).join();
        Told.says("ready");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Told.says("ending")));
    }
}
