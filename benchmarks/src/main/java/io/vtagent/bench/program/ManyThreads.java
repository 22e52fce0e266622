package io.vtagent.bench.program;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;

/** Virtual threads that all live at once: what a processor has to do until the last one has ended, and the heap that they take. */
public final class ManyThreads {
    private static final int WARM_UP_THREADS = 20_000;
    private static final double NANOS_PER_MICRO = 1e3;

    private ManyThreads() {}

    /** @param arguments how many */
    public static void main(String[] arguments) throws InterruptedException {
        live(WARM_UP_THREADS);
        System.gc();
        int threads = Integer.parseInt(arguments[0]);
        long before = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long beganNanos = ProcessTime.nanos();
        long bytes = live(threads);
        double usedNanos = ProcessTime.nanos() - beganNanos;
        System.out.println("processorMicrosPerThread=" + usedNanos / NANOS_PER_MICRO / threads);
        System.out.println("bytesPerThread=" + (double) (bytes - before) / threads);
    }

    /** The bytes in use while all of them wait. */
    private static long live(int threads) throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(threads);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(() -> {
                waiting.countDown();
                await(end);
                ended.countDown();
            });
        }
        waiting.await();
        System.gc();
        long bytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        end.countDown();
        ended.await();
        return bytes;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
