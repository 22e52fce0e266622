package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code monitor|wait|inNative|exit|ending THREADS}: so many virtual threads, which are all that there are carriers, block each in that way
 * until the test says so, and then pin once more each. {@code exit} ends while they wait, {@code ending} hangs in a shutdown hook.
 */
public final class StuckCarriers {
    /** Of {@code exit} and {@code ending}. */
    public static final int EXIT_CODE = 7;

    private static final Object MONITOR = new Object();
    private static volatile boolean released;

    private StuckCarriers() {}

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("ending")) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> Told.says("ending")));
            System.exit(EXIT_CODE);
        }
        boolean exits = arguments[0].equals("exit");
        Method block = StuckCarriers.class.getDeclaredMethod(exits ? "wait" : arguments[0], CountDownLatch.class);
        CountDownLatch begun = new CountDownLatch(threads);
        List<Thread> stuck;
        synchronized (StuckCarriers.class) {
            // below a native frame a thread cannot unmount on any JDK
            stuck = Tasks.start(threads, number -> block.invoke(null, begun));
            begun.await();
            Thread.startVirtualThread(() -> {});
            if (exits) {
                System.exit(EXIT_CODE);
            }
            Told.says("stuck");
        }
        released = true;
        synchronized (MONITOR) {
            MONITOR.notifyAll();
        }
        Tasks.join(stuck);
        Told.says("free");
        Method park = StuckCarriers.class.getDeclaredMethod("park");
        Tasks.run(threads, number -> park.invoke(null));
        Told.fact("pins", threads);
        Told.says("pinned");
    }

    static void monitor(CountDownLatch begun) {
        begun.countDown();
        synchronized (StuckCarriers.class) {
            Thread.onSpinWait();
        }
    }

    static void wait(CountDownLatch begun) throws InterruptedException {
        synchronized (MONITOR) {
            begun.countDown();
            while (!released) {
                MONITOR.wait();
            }
        }
    }

    static void inNative(CountDownLatch begun) {
        begun.countDown();
        while (!released) {
            LibC.usleep(900_000);
        }
    }

    static void park() {
        LockSupport.parkNanos(2_000_000);
    }
}
