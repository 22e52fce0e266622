package io.vtagent.it.workload;

/**
 * Ends after one virtual thread and a line on stdin, but for a shutdown hook that says {@code
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
