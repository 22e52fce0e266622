package io.vtagent.bench.program;

import java.util.concurrent.CountDownLatch;

/**
 * Virtual threads that are all alive at once: the CPU time for each until the last one has ended.
 */
public final class ManyThreads {
    private static final int WARM_UP_THREADS = 20_000;

    /**
     * With fewer threads alive at a time, threads are started until there were this many: CPU time
     * has a resolution of some 10 ms.
     */
    private static final int MIN_THREADS = 200_000;

    private static final double NANOS_PER_MICRO = 1e3;

    private ManyThreads() {}

    /**
     * @param arguments how many
     */
    public static void main(String[] arguments) throws InterruptedException {
        live(WARM_UP_THREADS);
        System.gc();
        int threads = Integer.parseInt(arguments[0]);
        int times = Math.max(1, MIN_THREADS / threads);
        long beganNanos = ProcessTime.nanos();
        for (int i = 0; i < times; i++) {
            live(threads);
        }
        double usedNanos = ProcessTime.nanos() - beganNanos;
        System.out.println(
                "processorMicrosPerThread=" + usedNanos / NANOS_PER_MICRO / threads / times);
    }

    private static void live(int threads) throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(threads);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(
                    () -> {
                        waiting.countDown();
                        await(end);
                        ended.countDown();
                    });
        }
        waiting.await();
        end.countDown();
        ended.await();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
