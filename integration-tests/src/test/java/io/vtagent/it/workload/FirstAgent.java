package io.vtagent.it.workload;

/**
 * An agent that starts a virtual thread before {@code main}, so that there is a carrier from then
 * on.
 */
public final class FirstAgent {
    private FirstAgent() {}

    public static void premain(String arguments) throws InterruptedException {
        Thread.startVirtualThread(() -> {}).join();
    }
}
