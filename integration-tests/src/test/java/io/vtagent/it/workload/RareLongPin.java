package io.vtagent.it.workload;

import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code monitor|native PINS}: a thread is pinned that many times for hardly any time, more often
 * than the stacks of such short pins are read, and then once more at the same place, until the test
 * goes on. Where monitors pin, another thread that waits for its monitor is then pinned, too.
 */
public final class RareLongPin {
    private static final Object MONITOR = new Object();
    private static final CountDownLatch LONG = new CountDownLatch(1);
    private static volatile boolean over;

    private RareLongPin() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        boolean inMonitor = arguments[0].equals("monitor");
        int pins = Integer.parseInt(arguments[1]);
        Method wait = RareLongPin.class.getDeclaredMethod("pause", boolean.class);
        Thread pinned =
                Thread.ofVirtual()
                        .name("pinned")
                        .start(
                                () -> {
                                    for (int i = 0; i <= pins; i++) {
                                        pin(inMonitor, wait, i == pins);
                                    }
                                });
        LONG.await();
        Thread entering =
                inMonitor
                        ? Thread.ofVirtual().name("entering").start(() -> pin(true, wait, false))
                        : Thread.ofVirtual().unstarted(() -> {});
        WorkloadConsole.printAndWait("pinned");
        over = true;
        LockSupport.unpark(pinned);
        pinned.join();
        if (inMonitor) {
            entering.join();
        }
        WorkloadConsole.done();
    }

    private static void pin(boolean inMonitor, Method wait, boolean isLong) {
        if (inMonitor) {
            synchronized (MONITOR) {
                call(wait, isLong);
            }
        } else {
            call(wait, isLong);
        }
    }

    /** As frameworks call what they are given. */
    private static void call(Method wait, boolean isLong) {
        try {
            wait.invoke(null, isLong);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("cannot call " + wait, impossible);
        }
    }

    static void pause(boolean isLong) {
        if (isLong) {
            LONG.countDown();
        }
        do {
            LockSupport.parkNanos(isLong ? Long.MAX_VALUE : 1);
        } while (isLong && !over);
    }
}
