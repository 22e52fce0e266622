package io.vtagent.it.workload;

import java.io.IOException;
import java.net.ServerSocket;

/**
 * Prevents every thread from listening, as the first thing that it does, and then pins two virtual
 * threads that sleep in a method which native code has called.
 */
public final class OwnFactory {
    private OwnFactory() {}

    @SuppressWarnings("deprecation") // it is there
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ServerSocket.setSocketFactory(
                () -> {
                    throw new IllegalStateException("nobody is to listen");
                });
        Tasks.run(
                2,
                number -> {
                    try {
                        OwnFactory.class.getDeclaredMethod("sleep").invoke(null);
                    } catch (ReflectiveOperationException failed) {
                        throw new IllegalStateException(failed);
                    }
                });
        WorkloadConsole.done();
    }

    static void sleep() throws InterruptedException {
        Thread.sleep(20);
    }
}
