package io.vtagent.compatibility.launch;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Configures BlockHound so that one kind of thread may not block. */
public final class NeverBlocks implements BlockHoundIntegration {
    private static final String NAME = "never-blocks";

    @Override
    public void applyTo(BlockHound.Builder builder) {
        builder.nonBlockingThreadPredicate(
                others -> others.or(thread -> thread.getName().equals(NAME)));
    }

    /** Returns what such a thread gets when it sleeps. */
    static String sleeps() {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        start(
                Thread.ofPlatform(),
                outcome,
                () -> {
                    Thread.sleep(1);
                    return "nothing";
                });
        return outcome.join();
    }

    /**
     * Returns what a virtual thread gets that waits for a monitor. BlockHound allows that; what an
     * agent has put around it must not block.
     */
    static String enters() throws InterruptedException {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        Object monitor = new Object();
        synchronized (monitor) {
            Thread waiting =
                    start(
                            Thread.ofVirtual(),
                            outcome,
                            () -> {
                                synchronized (monitor) {
                                    return "nothing";
                                }
                            });
            while (waiting.isAlive() && waiting.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
            Thread.sleep(20);
        }
        return outcome.join();
    }

    private static Thread start(
            Thread.Builder builder, CompletableFuture<String> outcome, Callable<String> task) {
        return builder.name(NAME)
                .start(
                        () -> {
                            try {
                                outcome.complete(task.call());
                            } catch (Throwable thrown) {
                                outcome.complete(thrown.getClass().getName());
                            }
                        });
    }
}
