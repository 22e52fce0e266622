package io.vtagent.it.workload;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code deadlock|platform|slow WAITERS}: two threads that each initialize a class and then need
 * the other one's, both of them virtual, or the second a platform thread, while a third thread
 * parks in an initializer; or one that parks in its initializer. So many more need the first of the
 * classes; one finds no carrier.
 */
public final class EntangledInitializers {
    private static final CountDownLatch BEGUN = new CountDownLatch(2);
    private static final CountDownLatch ELSEWHERE = new CountDownLatch(1);
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

    /** A class of a thread that is not awaited. */
    private static final class Elsewhere {
        static {
            ELSEWHERE.countDown();
            while (ELSEWHERE.getCount() == 0) {
                LockSupport.park();
            }
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

    public static void main(String[] arguments)
            throws InterruptedException, ClassNotFoundException {
        // else they are read from their files on a carrier, for which the scheduler adds another
        // one
        Class.forName(First.class.getName(), false, EntangledInitializers.class.getClassLoader());
        Class.forName(Second.class.getName(), false, EntangledInitializers.class.getClassLoader());
        deadlock = !arguments[0].equals("slow");
        WorkloadConsole.warmUp();
        Thread.ofVirtual().name("first").start(First::initialize);
        if (deadlock) {
            Thread.ofPlatform().daemon().name("elsewhere").start(Elsewhere::initialize);
            ELSEWHERE.await();
            Thread.Builder second =
                    arguments[0].equals("platform")
                            ? Thread.ofPlatform().daemon()
                            : Thread.ofVirtual();
            second.name("second").start(Second::initialize);
        }
        while (BEGUN.getCount() > (deadlock ? 0 : 1)) {
            Thread.onSpinWait();
        }
        List<Thread> waiters =
                Tasks.start(Integer.parseInt(arguments[1]), number -> First.initialize());
        Thread queued = Thread.ofVirtual().name("queued").start(() -> {});
        WorkloadConsole.printAndWait("stuck");
        queued.join();
        WorkloadConsole.printAndWait("queued");
        Tasks.join(waiters);
    }
}
