package io.vtagent.it.workload;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.locks.LockSupport;

/**
 * Blocks every thread that wants to listen for ever, as the first thing that it does, and ends with
 * the exit code 5 when there is one.
 */
public final class NobodyListens {
    private NobodyListens() {}

    @SuppressWarnings("deprecation") // it is there
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Thread main = Thread.currentThread();
        ServerSocket.setSocketFactory(
                () -> {
                    LockSupport.unpark(main);
                    while (true) {
                        LockSupport.park();
                    }
                });
        LockSupport.parkNanos(10_000_000_000L);
        System.exit(5);
    }
}
