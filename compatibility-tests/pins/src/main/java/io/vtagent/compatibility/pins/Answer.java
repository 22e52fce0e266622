package io.vtagent.compatibility.pins;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The responses of every application, whatever serves it. */
public final class Answer {
    private Answer() {}

    /**
     * Returns the answer to {@code path}: {@code /free}, which unmounts; {@code /park} and {@code
     * /wait}, which hold a monitor; and {@code /init0} to {@code /init3}, which sleep in a class
     * initializer. It contains the path, and whether the thread was virtual.
     */
    public static String to(String path) throws InterruptedException, ClassNotFoundException {
        switch (path) {
            case "/free" -> Thread.sleep(2);
            case "/park" -> Pins.park();
            case "/wait" -> Pins.await();
            default -> {
                if (!path.startsWith("/init")) {
                    throw new IllegalArgumentException(path);
                }
                Pins.initialize(Integer.parseInt(path.substring("/init".length())));
            }
        }
        return path
                + (Thread.currentThread().isVirtual()
                        ? " on a virtual thread"
                        : " on a platform thread");
    }

    /** A virtual thread for each task. */
    public static ExecutorService executor() {
        return Executors.newVirtualThreadPerTaskExecutor();
    }
}
