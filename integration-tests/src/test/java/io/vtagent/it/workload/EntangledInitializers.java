package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code deadlock|platform|slow WAITERS}: two threads that each initialize a class and then need the other one's, both of them virtual, or
 * the second a platform thread; or one that parks in its initializer. So many more need the first of the classes; one finds no carrier.
 */
public final class EntangledInitializers {
    private static final CountDownLatch BEGUN = new CountDownLatch(2);
    private static boolean deadlock;

    private EntangledInitializers() {}

    private static final class First {
        static {
            begin();
            Second.initialize();
        }

        static void initialize() {}
    }

    private static final class Second {
        static {
            begin();
            First.initialize();
        }

        static void initialize() {}
    }

    private static void begin() {
        BEGUN.countDown();
        while (!deadlock) {
            LockSupport.park();
        }
        while (BEGUN.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        deadlock = !arguments[0].equals("slow");
        Told.warm();
        Thread.ofVirtual().name("first").start(First::initialize);
        if (deadlock) {
            Thread.Builder second =
                    arguments[0].equals("platform") ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
            second.name("second").start(Second::initialize);
        }
        while (BEGUN.getCount() > (deadlock ? 0 : 1)) {
            Thread.onSpinWait();
        }
        List<Thread> waiters = Tasks.start(Integer.parseInt(arguments[1]), number -> First.initialize());
        Thread queued = Thread.ofVirtual().name("queued").start(() -> {});
        Told.says("stuck");
        queued.join();
        Told.says("queued");
        Tasks.join(waiters);
    }
}
