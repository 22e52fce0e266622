package io.vtagent.compatibility.launch;

import java.io.File;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code SECONDS}: threads that use all carriers, then an idle period of that length in which no
 * virtual thread runs, and some threads more, which it times. It prints what the scheduler, the
 * collector and the kernel show of the idle period.
 */
public final class IdleScheduler {
    private static final int THREADS = 200;
    private static final int STARTS = 200;
    private static final int SHORT_MILLIS = 5;

    private IdleScheduler() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        ForkJoinPool scheduler = scheduler();
        burst();
        long collections = 0;
        long seconds = Long.parseLong(arguments[0]);
        long beganNanos = System.nanoTime();
        StringBuilder carriers = new StringBuilder();
        int size = -1;
        int files = openFiles();
        int mostFiles = files;
        for (long second = 0; second < seconds; second++) {
            LockSupport.parkNanos(
                    TimeUnit.SECONDS.toNanos(second + 1) - (System.nanoTime() - beganNanos));
            mostFiles = Math.max(mostFiles, openFiles());
            if (second == seconds / 3) { // what an agent allocated when it began has been collected
                collections = collections();
            }
            int now = scheduler.getPoolSize();
            if (now != size) {
                size = now;
                carriers.append(carriers.isEmpty() ? "" : ",").append(now);
            }
        }
        System.out.println("carriers=" + carriers);
        System.out.println("collections=" + (collections() - collections));
        System.out.println("moreFiles=" + (mostFiles - files));
        long[] nanos = new long[STARTS];
        for (int i = 0; i < STARTS; i++) {
            long startedNanos = System.nanoTime();
            long[] delay = new long[1];
            Thread.startVirtualThread(() -> delay[0] = System.nanoTime() - startedNanos).join();
            nanos[i] = delay[0];
            Thread.sleep(SHORT_MILLIS);
        }
        Arrays.sort(nanos);
        System.out.println("medianDelayMicros=" + TimeUnit.NANOSECONDS.toMicros(nanos[STARTS / 2]));
        System.out.println("carriersAfter=" + scheduler.getPoolSize());
        System.out.println("done");
    }

    private static void burst() throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = Thread.ofVirtual().start(IdleScheduler::compute);
        }
        for (Thread each : threads) {
            each.join();
        }
    }

    private static void compute() {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SHORT_MILLIS);
        while (System.nanoTime() < untilNanos) {
            Thread.onSpinWait();
        }
    }

    private static ForkJoinPool scheduler() throws ReflectiveOperationException {
        Field scheduler =
                Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
        scheduler.setAccessible(true);
        return (ForkJoinPool) scheduler.get(null);
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static int openFiles() {
        String[] files = new File("/proc/self/fd").list();
        return files == null ? 0 : files.length;
    }
}
