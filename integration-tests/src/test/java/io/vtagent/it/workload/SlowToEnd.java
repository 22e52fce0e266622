package io.vtagent.it.workload;

/**
 * Ends after one virtual thread and a line on stdin, except for a shutdown hook that prints {@code
 * ending} and waits.
 */
public final class SlowToEnd {
    private SlowToEnd() {}

    public static void main(String[] arguments) throws InterruptedException {
        Thread.startVirtualThread(() -> {}).join();
        WorkloadConsole.printAndWait("ready");
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> WorkloadConsole.printAndWait("ending")));
    }
}
