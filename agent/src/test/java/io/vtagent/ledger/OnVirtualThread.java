package io.vtagent.ledger;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs a test's code where the sensors are called: on a virtual thread. */
public final class OnVirtualThread {
    private OnVirtualThread() {}

    /**
     * Runs {@code task} on a new virtual thread and waits for its end. What it throws is thrown
     * here.
     */
    public static void run(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> {
                    try {
                        task.run();
                        done.complete(null);
                    } catch (Throwable failure) {
                        done.completeExceptionally(failure);
                    }
                });
        try {
            done.join();
        } catch (CompletionException failed) {
            throw new AssertionError("on a virtual thread", failed.getCause());
        }
    }
}
