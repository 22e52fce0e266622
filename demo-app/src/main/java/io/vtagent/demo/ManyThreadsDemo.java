package io.vtagent.demo;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Threads that all live at a time and wait: how much memory each of them takes. The stack of a virtual thread that waits is on
 * the heap; that of a platform thread is memory of its own, as the JVM's native memory tracking counts it.
 */
final class ManyThreadsDemo implements DemoCase {

    private static final String VIRTUAL = "virtual";
    private static final String PLATFORM = "platform";
    private static final String KIBIBYTES_A_THREAD = "KiB a thread";

    /** In the summary of native memory tracking. */
    private static final Pattern STACKS = Pattern.compile("\\(stack: reserved=(\\d+)KB, committed=(\\d+)KB");

    private static final int KIBI = 1 << 10;

    @Override
    public String name() {
        return "many-threads";
    }

    @Override
    public String shows() {
        return "Up to a million threads that wait at the same time: how much memory a virtual thread takes, and how much a platform"
                + " thread.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(Claim.of(
                        Article.EXPLORATION,
                        "Platform threads take 1 MB of stack memory each by default; of virtual threads there can easily be"
                                + " millions in a process.")
                .with(PLATFORM, KIBI));
    }

    @Override
    public String comparison() {
        return "The million is no trouble (--full; otherwise it is a tenth of it). The 1 MB of a platform thread is address space,"
                + " which is reserved; of memory it takes what its stack has touched, and what the operating system keeps for a"
                + " thread, which is not counted here. So what limits platform threads is less often their stacks than how many of"
                + " them the system allows, and what it costs to start and to switch them.";
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

    /** A task is a thread. Of platform threads never so many that other processes would get none. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        boolean full = scale == Size.Scale.FULL;
        return variant.equals(VIRTUAL) ? new Size(full ? 1_000_000 : 100_000, 1) : new Size(full ? 10_000 : 2_000, 1);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Thread.Builder threads = variant.equals(VIRTUAL) ? Thread.ofVirtual() : Thread.ofPlatform();
        live(threads, Math.min(settings.tasks(), 1_000), living -> {});
        long usedBefore = usedHeap();
        Stacks before = Stacks.now();
        Result[] result = new Result[1];
        long startedAtNanos = System.nanoTime();
        live(threads, settings.tasks(), living -> {
            double seconds = (System.nanoTime() - startedAtNanos) / 1e9;
            Stacks now = Stacks.now();
            double heap = (usedHeap() - usedBefore) / (double) KIBI;
            result[0] = Result.of(KIBIBYTES_A_THREAD, (heap + now.committed - before.committed) / living)
                    .with("reserved for its stack, KiB", (double) (now.reserved - before.reserved) / living)
                    .with("threads", living)
                    .with("started/s", living / seconds);
        });
        int living = (int) result[0].figure("threads");
        return living == settings.tasks()
                ? result[0]
                : result[0].note("Limited by the operating system, which gave no more: %,d of %,d threads."
                        .formatted(living, settings.tasks()));
    }

    @FunctionalInterface
    private interface Look {
        void at(int living) throws JMException;
    }

    /** Starts {@code wanted} threads, or as many as there can be, has a {@code look} while they wait, and lets them end. */
    private static void live(Thread.Builder threads, int wanted, Look look) throws InterruptedException, JMException {
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(wanted);
        List<Thread> living = new ArrayList<>(wanted);
        try {
            while (living.size() < wanted) {
                living.add(threads.start(() -> {
                    waiting.countDown();
                    awaitUninterruptibly(looked);
                }));
            }
        } catch (OutOfMemoryError noMoreThreads) {
            // such as "unable to create native thread": then it is fewer
            for (int i = living.size(); i < wanted; i++) {
                waiting.countDown();
            }
        }
        try {
            waiting.await();
            look.at(living.size());
        } finally {
            looked.countDown();
        }
        for (Thread thread : living) {
            thread.join();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Of all platform threads, in KiB. */
    private record Stacks(long reserved, long committed) {

        static Stacks now() throws JMException {
            Object summary = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmNativeMemory",
                            new Object[] {new String[] {"summary"}},
                            new String[] {String[].class.getName()});
            Matcher stacks = STACKS.matcher(summary.toString());
            if (!stacks.find()) {
                throw new IllegalStateException("native memory tracking says nothing of stacks: " + summary);
            }
            return new Stacks(Long.parseLong(stacks.group(1)), Long.parseLong(stacks.group(2)));
        }
    }
}
