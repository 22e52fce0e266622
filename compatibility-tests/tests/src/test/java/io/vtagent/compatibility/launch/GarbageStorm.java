package io.vtagent.compatibility.launch;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * {@link Server} in a JVM that collects garbage all the time, with pauses in which the application
 * may run.
 */
public final class GarbageStorm {
    private static final int GARBAGE = 1 << 20;
    private static final long PAUSE_NANOS = 5_000_000;

    /** The newest array, which is garbage as soon as there is the next. */
    private static volatile byte[] latest = {};

    private GarbageStorm() {}

    public static void main(String[] arguments) throws IOException {
        Thread.ofPlatform().daemon().start(GarbageStorm::collect);
        Server.main(arguments);
    }

    private static void collect() {
        while (latest.length <= GARBAGE) {
            latest = new byte[GARBAGE];
            System.gc();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
