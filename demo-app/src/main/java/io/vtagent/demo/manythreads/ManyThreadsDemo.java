package io.vtagent.demo.manythreads;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Heap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Threads that all live at a time and wait: how much memory each of them takes. The stack of a
 * virtual thread that waits is on the heap; that of a platform thread is memory of its own, as the
 * JVM's native memory tracking counts it.
 */
public final class ManyThreadsDemo implements DemoCase {

    private static final String VIRTUAL = "virtual";
    private static final String PLATFORM = "platform";
    private static final String KIBIBYTES_A_THREAD = "KiB a thread";

    private static final int KIBI = 1 << 10;
    private static final int BEFOREHAND = 1_000;

    /** The memory that a virtual thread may take, with some to spare. */
    private static final int HEAP_OF_A_THREAD = 2 * KIBI;

    @Override
    public String name() {
        return "many-threads";
    }

    @Override
    public String shows() {
        return "Up to a million threads that wait at the same time: how much memory a virtual"
                + " thread takes, and how much a platform thread.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                                Article.EXPLORATION,
                                "Platform threads take 1 MB of stack memory each by default; of"
                                        + " virtual threads, which are cheap to create, there can"
                                        + " easily be millions in a process.")
                        .with(PLATFORM, KIBI));
    }

    @Override
    public String comparison() {
        return "A million virtual threads that wait in a short stack fit into 2 GiB of heap"
                + " (--full; otherwise it is a tenth of them). The 1 MB of a platform thread is"
                + " address space, which is reserved; of memory its stack takes what it has"
                + " touched. What the JVM and the operating system keep for a thread besides is"
                + " not counted here.";
    }

    @Override
    public String figure() {
        return KIBIBYTES_A_THREAD;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                variant(VIRTUAL, "virtual threads that wait"), //
                variant(PLATFORM, "platform threads that wait"));
    }

    private static Variant variant(String name, String what) {
        return Variant.of(name, what).onJvm("-XX:NativeMemoryTracking=summary");
    }

    /**
     * A task is a thread. The number of platform threads is limited, so that other processes get
     * some.
     */
    @Override
    public Size size(String variant, Size.Scale scale) {
        boolean full = scale == Size.Scale.FULL;
        return variant.equals(VIRTUAL)
                ? new Size(full ? 1_000_000 : 100_000, 1)
                : new Size(full ? 10_000 : 2_000, 1);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        boolean virtual = variant.equals(VIRTUAL);
        Thread.Builder threads = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
        long most =
                virtual ? Runtime.getRuntime().maxMemory() / HEAP_OF_A_THREAD : Integer.MAX_VALUE;
        int wanted = (int) Math.min(settings.tasks(), most);
        new Waiting(threads, Math.min(wanted, BEFOREHAND)).end();
        long usedBefore = Heap.usedBytes();
        ThreadStacks before = ThreadStacks.now();
        long startedAtNanos = System.nanoTime();
        Waiting waiting = new Waiting(threads, wanted);
        try {
            double seconds = (System.nanoTime() - startedAtNanos) / 1e9;
            double count = waiting.threads.size();
            ThreadStacks now = ThreadStacks.now();
            double heap = (Heap.usedBytes() - usedBefore) / (double) KIBI;
            Result result =
                    Result.of(
                                    KIBIBYTES_A_THREAD,
                                    (heap + now.committed() - before.committed()) / count)
                            .with(
                                    "reserved for its stack, KiB",
                                    (now.reserved() - before.reserved()) / count)
                            .with("threads", count)
                            .with("started/s", count / seconds);
            if (wanted < settings.tasks()) {
                result =
                        result.note(
                                "Limited by the heap, which may grow to %,d MiB here (-Xmx): %,d of %,d threads."
                                        .formatted(
                                                Runtime.getRuntime().maxMemory() / KIBI / KIBI,
                                                wanted,
                                                settings.tasks()));
            }
            return waiting.failure == null
                    ? result
                    : result.note(
                            "Limited to %,.0f of %,d threads: %s."
                                    .formatted(count, wanted, waiting.failure));
        } finally {
            waiting.end();
        }
    }

    /** Threads that have all started, and wait until they are let go. */
    private static final class Waiting {

        private final List<Thread> threads;
        private final CountDownLatch end = new CountDownLatch(1);
        private @Nullable String failure;

        Waiting(Thread.Builder builder, int wanted) throws InterruptedException {
            threads = new ArrayList<>(wanted);
            Semaphore started = new Semaphore(0);
            Runnable thread =
                    () -> {
                        started.release();
                        awaitUninterruptibly(end);
                    };
            try {
                while (threads.size() < wanted) {
                    threads.add(builder.start(thread));
                }
            } catch (OutOfMemoryError noMoreThreads) {
                failure = noMoreThreads.getMessage(); // such as "unable to create native thread"
            }
            started.acquire(threads.size());
        }

        private static void awaitUninterruptibly(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void end() throws InterruptedException {
            end.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
